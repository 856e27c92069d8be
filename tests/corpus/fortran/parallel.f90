! OpenMP loops and printing.
program parallel
  implicit none
  integer, parameter :: n = 1000
  real(8) :: x(n), total
  integer :: i, histogram(0:15)
  x = [(real(i, 8) * 0.5d0, i = 1, n)]
  histogram = 0
  total = 0
  !$omp parallel do reduction(+:total) schedule(static)
  do i = 1, n
    total = total + x(i) ** 2
    !$omp atomic
    histogram(iand(i, 15)) = histogram(iand(i, 15)) + 1
  end do
  !$omp end parallel do
  write (*, '(f12.3, 16i5)') total, histogram
  call finish(total)
contains
  subroutine finish(value)
    real(8), intent(in) :: value
    if (value > 1d6) stop 1
    print *, 'sum', value
  end subroutine
end program
