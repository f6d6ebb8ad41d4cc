/* Packs bytes: runs of one byte become a count and the byte (PackBits). */
#ifndef CODEC_H
#define CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Packed bytes need at most this much room. */
size_t packed_bound(size_t length);

/* Returns the number of packed bytes. */
size_t pack(const unsigned char *from, size_t length, unsigned char *to);

/* False if the packed bytes are damaged or do not fit into `room`. */
bool unpack(const unsigned char *from, size_t length, unsigned char *to, size_t room,
            size_t *unpacked);

uint32_t checksum(const unsigned char *bytes, size_t length);

#endif
