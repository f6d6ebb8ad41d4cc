/* Quotients with remainders. */

struct quotient { int quot, rem; };
struct long_quotient { long quot, rem; };
struct wide_quotient { long long quot, rem; };

struct quotient div(int dividend, int divisor) {
    struct quotient result = { dividend / divisor, dividend % divisor };
    return result;
}

struct long_quotient ldiv(long dividend, long divisor) {
    struct long_quotient result = { dividend / divisor, dividend % divisor };
    return result;
}

struct wide_quotient lldiv(long long dividend, long long divisor) {
    struct wide_quotient result = { dividend / divisor, dividend % divisor };
    return result;
}

struct wide_quotient imaxdiv(long long dividend, long long divisor) {
    return lldiv(dividend, divisor);
}
