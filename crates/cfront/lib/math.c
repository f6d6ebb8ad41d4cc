/* Numbers taken apart by their bits. */

union real { double number; unsigned long long bits; };
union small_real { float number; unsigned bits; };

double fabs(double x) {
    union real real = { .number = x };
    real.bits &= 0x7fffffffffffffff;
    return real.number;
}

float fabsf(float x) {
    union small_real real = { .number = x };
    real.bits &= 0x7fffffff;
    return real.number;
}

double copysign(double x, double sign) {
    union real real = { .number = x };
    union real other = { .number = sign };
    real.bits = (real.bits & 0x7fffffffffffffff) | (other.bits & 0x8000000000000000);
    return real.number;
}

float copysignf(float x, float sign) {
    union small_real real = { .number = x };
    union small_real other = { .number = sign };
    real.bits = (real.bits & 0x7fffffff) | (other.bits & 0x80000000);
    return real.number;
}

/* What is no number gives way to one. */
double fmin(double x, double y) {
    return x != x ? y : y != y ? x : x < y ? x : y;
}

float fminf(float x, float y) {
    return x != x ? y : y != y ? x : x < y ? x : y;
}

double fmax(double x, double y) {
    return x != x ? y : y != y ? x : x > y ? x : y;
}

float fmaxf(float x, float y) {
    return x != x ? y : y != y ? x : x > y ? x : y;
}

double frexp(double x, int *exponent) {
    union real real = { .number = x };
    int biased = (int)(real.bits >> 52 & 0x7ff);
    if (biased == 0x7ff || x == 0.0) {
        *exponent = 0;
        return x;
    }
    int shift = 0;
    if (biased == 0) {
        real.number = x * 18014398509481984.0;
        biased = (int)(real.bits >> 52 & 0x7ff);
        shift = 54;
    }
    *exponent = biased - 1022 - shift;
    real.bits = (real.bits & 0x800fffffffffffff) | 0x3fe0000000000000;
    return real.number;
}

float frexpf(float x, int *exponent) {
    return (float)frexp(x, exponent);
}

double modf(double x, double *whole) {
    union real real = { .number = x };
    int exponent = (int)(real.bits >> 52 & 0x7ff) - 1023;
    if (exponent >= 52) {
        *whole = x;
        return x != x ? x : copysign(0.0, x);
    }
    if (exponent < 0) {
        *whole = copysign(0.0, x);
        return x;
    }
    real.bits &= ~(0x000fffffffffffff >> exponent);
    *whole = real.number;
    return copysign(x - real.number, x);
}

float modff(float x, float *whole) {
    double part;
    double rest = modf(x, &part);
    *whole = (float)part;
    return (float)rest;
}
