/* Wide characters. ASCII is the same in every locale; of other bytes nothing is known. */

int __mazurka_any_int(void);
_Bool __mazurka_any_bool(void);
char __mazurka_any_char(void);
void __mazurka_assume(int condition);

void __mazurka_any_errno(void);

enum { LONGEST = 6 };

/* What was read of a character so far: nothing protects it. */
static char state;

int mbtowc(int *wide, const char *text, unsigned long size) {
    state = 0;
    if (!text) {
        return 0;
    }
    if (size == 0) {
        return -1;
    }
    unsigned char c = (unsigned char)*text;
    if (c < 128) {
        if (wide) {
            *wide = c;
        }
        return c != 0;
    }
    int length = __mazurka_any_int();
    __mazurka_assume(length == -1 || (length > 0 && length <= LONGEST && (unsigned long)length <= size));
    if (length < 0) {
        __mazurka_any_errno();
    }
    if (length > 0 && wide) {
        *wide = __mazurka_any_int();
    }
    return length;
}

int mblen(const char *text, unsigned long size) {
    return mbtowc((int *)0, text, size);
}

int wctomb(char *text, int wide) {
    state = 0;
    if (!text) {
        return 0;
    }
    if (wide >= 0 && wide < 128) {
        *text = (char)wide;
        return 1;
    }
    int length = __mazurka_any_int();
    __mazurka_assume(length == -1 || (length > 0 && length <= LONGEST));
    if (length < 0) {
        __mazurka_any_errno();
    }
    for (int at = 0; at < length; at++) {
        text[at] = __mazurka_any_char();
    }
    return length;
}
