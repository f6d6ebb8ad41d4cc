/* Packs a file block by block, with several threads.
 *
 *     compress [-w workers] [-b block size] [-q window] [-d] [-o output] [file]
 *
 * A packed file is a sequence of blocks: the packed length, the length and the checksum of the
 * text, four bytes each, then the packed bytes. -d unpacks. Without a file, a text is made up, is
 * packed in memory, and every block is unpacked again and compared. The macros give the defaults.
 */
#include "codec.h"
#include "pipeline.h"

#include <assert.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifndef WORKERS
#define WORKERS 4
#endif
#ifndef BLOCK
#define BLOCK 65536 /* bytes of a block */
#endif
#ifndef BLOCKS
#define BLOCKS 200 /* of the text that is made up */
#endif
#ifndef WINDOW
#define WINDOW 8 /* blocks that are under way */
#endif
#ifndef FAILS_AT
#define FAILS_AT (-1) /* the block whose check is made to fail */
#endif

#define HEADER 12

struct run {
    FILE *in;  /* NULL: a text is made up */
    FILE *out; /* NULL: blocks are compared and thrown away */
    size_t block_size;
    bool unpacks;
    unsigned long made; /* blocks that were made up: the reader's */
    unsigned long next; /* the block that is to be written: the writer's */
    unsigned long long text; /* bytes that were written: the writer's */
#ifdef BUG_PLAIN_PROGRESS
    unsigned long progress;
#else
    atomic_ulong progress; /* blocks that the workers have finished */
#endif
};

static void put32(unsigned char *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(value >> 8 * i);
}

static uint32_t get32(const unsigned char *from)
{
    uint32_t value = 0;
    for (int i = 0; i < 4; i++)
        value |= (uint32_t)from[i] << 8 * i;
    return value;
}

static enum step damaged(void)
{
    errno = EILSEQ;
    return STEP_ERROR;
}

static enum step out_of_memory(void)
{
    errno = ENOMEM;
    return STEP_ERROR;
}

/* Block n: some bytes that repeat, some that do not. */
static void make_up(unsigned long number, unsigned char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        bytes[i] = (unsigned char)(i % 16 < 8 ? number + i / 16 : number * i);
}

static enum step read_text(void *context, struct block *block)
{
    struct run *run = context;
    if (!block_reserve(block, run->block_size))
        return out_of_memory();
    if (run->in == NULL) {
        if (run->made == BLOCKS)
            return STEP_END;
        make_up(run->made++, block->bytes, run->block_size);
        block->length = run->block_size;
        return STEP_OK;
    }
    block->length = fread(block->bytes, 1, run->block_size, run->in);
    if (block->length > 0)
        return STEP_OK;
    return ferror(run->in) ? STEP_ERROR : STEP_END;
}

static enum step read_packed(void *context, struct block *block)
{
    struct run *run = context;
    unsigned char header[HEADER];
    size_t got = fread(header, 1, sizeof header, run->in);
    if (got == 0)
        return ferror(run->in) ? STEP_ERROR : STEP_END;
    if (got < sizeof header)
        return damaged();
    size_t length = get32(header);
    if (length > (1u << 28))
        return damaged();
    if (!block_reserve(block, HEADER + length))
        return out_of_memory();
    memcpy(block->bytes, header, sizeof header);
    if (fread(block->bytes + HEADER, 1, length, run->in) != length)
        return ferror(run->in) ? STEP_ERROR : damaged();
    block->length = HEADER + length;
    return STEP_OK;
}

/* The block holds other bytes from now on. */
static void replace(struct block *block, unsigned char *bytes, size_t length, size_t room)
{
    free(block->bytes);
    block->bytes = bytes;
    block->length = length;
    block->room = room;
}

static enum step unpack_block(void *context, struct block *block)
{
    (void)context;
    size_t length = get32(block->bytes + 4), got;
    if (length > (1u << 28))
        return damaged();
    unsigned char *text = malloc(length + 1);
    if (text == NULL)
        return out_of_memory();
    if (!unpack(block->bytes + HEADER, block->length - HEADER, text, length, &got) || got != length
        || checksum(text, length) != get32(block->bytes + 8)) {
#ifndef BUG_LEAK_WHEN_DAMAGED
        free(text);
#endif
        return damaged();
    }
    replace(block, text, length, length + 1);
    return STEP_OK;
}

static enum step pack_block(void *context, struct block *block)
{
    struct run *run = context;
    size_t room = HEADER + packed_bound(block->length);
    unsigned char *packed = malloc(room);
    if (packed == NULL)
        return out_of_memory();
    size_t length = pack(block->bytes, block->length, packed + HEADER);
    put32(packed, (uint32_t)length);
    put32(packed + 4, (uint32_t)block->length);
    put32(packed + 8, checksum(block->bytes, block->length));
    if (FAILS_AT >= 0 && block->number == (unsigned long)FAILS_AT)
        packed[8] ^= 1;
    replace(block, packed, HEADER + length, room);
#ifdef BUG_PLAIN_PROGRESS
    run->progress++;
#else
    atomic_fetch_add_explicit(&run->progress, 1, memory_order_relaxed);
#endif
    return STEP_OK;
}

/* Packs, and unpacks again: the writer gets the text. */
static enum step pack_and_compare(void *context, struct block *block)
{
    if (pack_block(context, block) != STEP_OK)
        return STEP_ERROR;
    return unpack_block(context, block);
}

static enum step write_block(void *context, const struct block *block)
{
    struct run *run = context;
    assert(block->number == run->next);
    run->next++;
    run->text += block->length;
    if (run->out != NULL && fwrite(block->bytes, 1, block->length, run->out) != block->length)
        return STEP_ERROR;
    return STEP_OK;
}

static enum step compare_block(void *context, const struct block *block)
{
    struct run *run = context;
    unsigned char *expected = malloc(block->length);
    if (expected == NULL)
        return out_of_memory();
    make_up(run->next, expected, block->length);
    assert(memcmp(expected, block->bytes, block->length) == 0);
    free(expected);
    return write_block(context, block);
}

static long number(const char *text, long most)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || value < 1 || value > most) {
        fprintf(stderr, "compress: %s: not a number from 1 to %ld\n", text, most);
        exit(2);
    }
    return value;
}

static FILE *open_or_die(const char *name, const char *mode)
{
    FILE *file = fopen(name, mode);
    if (file == NULL) {
        fprintf(stderr, "compress: %s: %s\n", name, strerror(errno));
        exit(EXIT_FAILURE);
    }
    return file;
}

int main(int argc, char **argv)
{
    static struct run run;
    long workers = WORKERS, window = WINDOW;
    const char *output = NULL;
    int option;

    run.block_size = BLOCK;
    while ((option = getopt(argc, argv, "w:b:q:do:")) != -1)
        switch (option) {
        case 'w': workers = number(optarg, 256); break;
        case 'b': run.block_size = (size_t)number(optarg, 1L << 28); break;
        case 'q': window = number(optarg, 1024); break;
        case 'd': run.unpacks = true; break;
        case 'o': output = optarg; break;
        default:
            fprintf(stderr, "usage: %s [-w N] [-b N] [-q N] [-d] [-o output] [file]\n", argv[0]);
            return 2;
        }
    if (optind + 1 < argc || (run.unpacks && optind == argc)) {
        fprintf(stderr, "%s: one file, please\n", argv[0]);
        return 2;
    }
    struct pipeline_jobs jobs = { &run, read_text, pack_and_compare, compare_block };
    if (optind < argc) {
        run.in = open_or_die(argv[optind], "rb");
        run.out = output != NULL ? open_or_die(output, "wb") : stdout;
        jobs.read = run.unpacks ? read_packed : read_text;
        jobs.work = run.unpacks ? unpack_block : pack_block;
        jobs.write = write_block;
    }
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    int error = pipeline_run(&jobs, (size_t)workers, (size_t)window);
    clock_gettime(CLOCK_MONOTONIC, &to);
    if (run.in != NULL)
        fclose(run.in);
    if (run.out != NULL && fclose(run.out) != 0 && error == 0)
        error = errno;
    if (error != 0) {
        fprintf(stderr, "compress: %s\n", strerror(error));
        assert(run.in != NULL || FAILS_AT >= 0 || error == ENOMEM);
        return EXIT_FAILURE;
    }
    assert(run.in != NULL || run.next == BLOCKS);
    assert(run.unpacks || run.progress == run.next);
    fprintf(stderr, "%lu blocks, %llu bytes, %.3f s\n", run.next, run.text,
            (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9);
    return EXIT_SUCCESS;
}
