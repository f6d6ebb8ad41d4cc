#include "codec.h"

#include <string.h>

/* A header n stands for n + 1 bytes as they are if n < 128, for one byte 257 - n times else. */
#define MOST 128

size_t packed_bound(size_t length)
{
#ifdef BUG_BOUND
    return length; /* bytes that do not repeat become more, not fewer */
#else
    return length + (length + MOST - 1) / MOST;
#endif
}

static size_t run_length(const unsigned char *from, size_t length)
{
    size_t run = 1;
    while (run < length && run < MOST && from[run] == from[0])
        run++;
    return run;
}

size_t pack(const unsigned char *from, size_t length, unsigned char *to)
{
    size_t at = 0, out = 0;
    while (at < length) {
        size_t run = run_length(from + at, length - at);
        if (run > 2) {
            to[out++] = (unsigned char)(257 - run);
            to[out++] = from[at];
            at += run;
            continue;
        }
#ifdef BUG_STATIC_LITERALS
        static size_t literals; /* as large objects often are: shared by all threads */
        literals = 0;
#else
        size_t literals = 0;
#endif
        while (at + literals < length && literals < MOST
               && run_length(from + at + literals, length - at - literals) <= 2)
            literals++;
        to[out++] = (unsigned char)(literals - 1);
        memcpy(to + out, from + at, literals);
        out += literals;
        at += literals;
    }
    return out;
}

bool unpack(const unsigned char *from, size_t length, unsigned char *to, size_t room,
            size_t *unpacked)
{
    size_t at = 0, out = 0;
#ifdef BUG_TRUSTS_INPUT
    (void)room;
#endif
    while (at < length) {
        unsigned int header = from[at++];
        size_t count = header < MOST ? header + 1 : 257 - header;
        size_t needed = header < MOST ? count : 1;
#ifdef BUG_TRUSTS_INPUT
        if (needed > length - at)
#else
        if (needed > length - at || count > room - out)
#endif
            return false;
        if (header < MOST)
            memcpy(to + out, from + at, count);
        else
            memset(to + out, from[at], count);
        at += needed;
        out += count;
    }
    *unpacked = out;
    return true;
}

/* Adler-32 */
uint32_t checksum(const unsigned char *bytes, size_t length)
{
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < length; i++) {
        a = (a + bytes[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}
