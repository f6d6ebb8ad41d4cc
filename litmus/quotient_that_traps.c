// A quotient that does not fit ends the run, as a division by zero does.
#include <limits.h>
extern void reach_error(void);

int main(void)
{
    volatile int lowest = INT_MIN, by = -1;
    int quotient = lowest / by;
    reach_error();
    return quotient;
}
