/* Printing to memory: each function puts something behind what is there already, as far as there is
   room, and says how long everything is. */

unsigned long __mazurka_put(char *to, unsigned long size, unsigned long length, int c) {
    if (length + 1 < size) {
        to[length] = (char)c;
    }
    return length + 1;
}

unsigned long __mazurka_put_text(char *to, unsigned long size, unsigned long length, const char *text) {
    while (*text) {
        length = __mazurka_put(to, size, length, *text);
        text++;
    }
    return length;
}

unsigned long __mazurka_put_unsigned(char *to, unsigned long size, unsigned long length, unsigned long long number) {
    unsigned long long scale = 1;
    while (number / scale >= 10) {
        scale *= 10;
    }
    while (scale > 0) {
        length = __mazurka_put(to, size, length, '0' + (int)(number / scale % 10));
        scale /= 10;
    }
    return length;
}

unsigned long __mazurka_put_signed(char *to, unsigned long size, unsigned long length, long long number) {
    unsigned long long magnitude = (unsigned long long)number;
    if (number < 0) {
        length = __mazurka_put(to, size, length, '-');
        magnitude = 0 - magnitude;
    }
    return __mazurka_put_unsigned(to, size, length, magnitude);
}

unsigned long __mazurka_put_hex(char *to, unsigned long size, unsigned long length, unsigned long long number) {
    int shift = 0;
    while (shift < 60 && number >> (shift + 4)) {
        shift += 4;
    }
    for (; shift >= 0; shift -= 4) {
        int digit = (int)(number >> shift & 15);
        length = __mazurka_put(to, size, length, digit < 10 ? '0' + digit : 'a' + digit - 10);
    }
    return length;
}

unsigned long __mazurka_put_end(char *to, unsigned long size, unsigned long length) {
    if (size > 0) {
        to[length < size ? length : size - 1] = 0;
    }
    return length;
}
