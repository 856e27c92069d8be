
__device__ double many(int a,int b,int c,int d,int e,int f,int g,int h,double i,double j,long long k,int l,float m,double n,int o,int p){ return a+b*2+c*3+d*4+e*5+f*6+g*7+h*8+i*9+j*10+k*11+l*12+m*13+n*14+o*15+p*16; }
