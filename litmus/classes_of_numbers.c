/* Of which class a floating value is, and what text says. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

int main(void) {
    double zero = 0.0, large = 1e308;
    assert(isinf(large * 10) && isinf(-large * 10) < 0 && !isinf(large));
    assert(isnan(zero / zero) && !isnan(zero));
    assert(isfinite(large) && !isfinite(large * 10));
    assert(signbit(-zero) && !signbit(zero));
    assert(fpclassify(zero) == FP_ZERO && fpclassify(large) == FP_NORMAL);
    assert(fpclassify(1e-310) == FP_SUBNORMAL && !isnormal(1e-310) && isnormal(1.5f));
    char *end;
    assert(strtod(" -2.5e1x", &end) == -25.0 && *end == 'x');
    assert(atof("0.1") == 0.1 && strtof("3", 0) == 3.0f);
    return 0;
}
