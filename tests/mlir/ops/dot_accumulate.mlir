// arch: sm_90
module {
  llvm.func @dot_accumulate(%a: vector<4xi8>, %b: vector<4xi8>, %h: vector<2xi16>, %c: i32) {
    %0 = nvvm.dot.accumulate.4way %a <signed>, %b <unsigned>, %c : vector<4xi8>, vector<4xi8>
    %1 = nvvm.dot.accumulate.2way %h <unsigned>, %b <signed>, %c {b_hi = true} : vector<2xi16>, vector<4xi8>
    llvm.return
  }
}
