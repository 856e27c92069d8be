! Array code, derived types, modules and allocation.
module numeric
  implicit none
  type :: particle
    real(8) :: position(3)
    real(4) :: charge
    integer(8) :: id
    logical :: alive
  end type
  type, extends(particle) :: heavy
    complex(8) :: phase
  end type
  interface norm
    module procedure norm4, norm8
  end interface
  integer, parameter :: width = 16
  real(8), save :: scale = 2.5d0
contains
  pure real(4) function norm4(v)
    real(4), intent(in) :: v(:)
    norm4 = sqrt(sum(v * v))
  end function
  pure real(8) function norm8(v)
    real(8), intent(in) :: v(:)
    norm8 = sqrt(dot_product(v, v))
  end function
  subroutine axpy(n, a, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: a, x(n)
    real(8), intent(inout) :: y(n)
    y = y + a * x * scale
  end subroutine
  subroutine multiply(a, b, c)
    real(8), intent(in) :: a(:, :), b(:, :)
    real(8), intent(out) :: c(:, :)
    c = matmul(a, transpose(b))
    where (c < 0) c = 0
  end subroutine
  subroutine grow(list, extra)
    integer, allocatable, intent(inout) :: list(:)
    integer, intent(in) :: extra
    integer, allocatable :: longer(:)
    allocate(longer(size(list) + extra))
    longer = 0
    longer(1:size(list)) = list
    call move_alloc(longer, list)
  end subroutine
  integer function classify(name)
    character(len=*), intent(in) :: name
    select case (name)
    case ('electron')
      classify = 1
    case ('proton', 'neutron')
      classify = 2
    case default
      classify = len_trim(name)
    end select
  end function
  recursive function ackermann(m, n) result(r)
    integer, intent(in) :: m, n
    integer :: r
    if (m == 0) then
      r = n + 1
    else if (n == 0) then
      r = ackermann(m - 1, 1)
    else
      r = ackermann(m - 1, ackermann(m, n - 1))
    end if
  end function
  subroutine drift(all, dt)
    class(particle), intent(inout) :: all(:)
    real(8), intent(in) :: dt
    integer :: i
    do concurrent (i = 1:size(all))
      all(i)%position = all(i)%position + dt
      all(i)%alive = all(i)%position(1) < 10
    end do
  end subroutine
end module
