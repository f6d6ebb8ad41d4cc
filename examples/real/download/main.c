/* Fetches files by HTTP, several at a time.
 *
 *     download [-j threads] [-d folder] [-t seconds] [-q] address...
 *
 * Without a folder, the bytes are counted and thrown away. SIGINT ends all transfers. Without any
 * address, those of the macro ADDRESSES are fetched.
 */
#include "queue.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef THREADS
#define THREADS 4
#endif
#ifndef TIMEOUT
#define TIMEOUT 30
#endif
#ifndef ADDRESSES
#define ADDRESSES "http://localhost:8000/", "http://localhost:8000/index.html"
#endif

static struct queue queue;

static void on_interrupt(int number)
{
    (void)number;
    queue_stop(&queue);
}

static struct transfer_options options = { .folder = NULL, .timeout = TIMEOUT };

static void *fetch(void *arg)
{
    struct transfer *transfer;
    (void)arg;
    while ((transfer = queue_take(&queue)) != NULL) {
        bool fine = transfer_run(transfer, &options, &queue.stop);
        queue_finish(&queue, transfer, fine);
    }
    return NULL;
}

static void show_progress(void)
{
    unsigned long long bytes = 0;
    for (size_t i = 0; i < queue.count; i++)
        bytes += queue.transfers[i]->received;
    fprintf(stderr, "\r%llu bytes", bytes);
}

static int number(const char *text, int most)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || value < 1 || value > most) {
        fprintf(stderr, "download: \"%s\" is no number from 1 to %d\n", text, most);
        exit(2);
    }
    return (int)value;
}

static void add(const char *address)
{
    if (!queue_add(&queue, address)) {
        fprintf(stderr, "download: %s: %s\n", address, strerror(errno));
        queue_destroy(&queue);
        exit(2);
    }
}

static int report(void)
{
    size_t done = 0;
    for (size_t i = 0; i < queue.count; i++) {
        const struct transfer *transfer = queue.transfers[i];
        assert(transfer->state != TRANSFER_RUNNING);
        if (transfer->state == TRANSFER_DONE) {
            assert(transfer->status == 200);
            done++;
        }
        printf("%s: %llu bytes%s%s\n", transfer->url.host, (unsigned long long)transfer->received,
               transfer->error != NULL ? ", " : "", transfer->error != NULL ? transfer->error : "");
    }
    return done == queue.count ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    static const char *const addresses[] = { ADDRESSES };
    struct sigaction action = { .sa_handler = on_interrupt };
    int option, thread_count = THREADS;
    bool quiet = false;

    while ((option = getopt(argc, argv, "j:d:t:q")) != -1)
        switch (option) {
        case 'j': thread_count = number(optarg, 64); break;
        case 'd': options.folder = optarg; break;
        case 't': options.timeout = number(optarg, 3600); break;
        case 'q': quiet = true; break;
        default:
            fprintf(stderr, "usage: %s [-j N] [-d folder] [-t seconds] [-q] address...\n", argv[0]);
            return 2;
        }
    queue_init(&queue);
    if (optind == argc)
        for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++)
            add(addresses[i]);
    for (int i = optind; i < argc; i++)
        add(argv[i]);
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGINT, &action, NULL) != 0)
        perror("download: sigaction");

    pthread_t *threads = calloc((size_t)thread_count, sizeof *threads);
    if (threads == NULL) {
        perror("download");
        return EXIT_FAILURE;
    }
    for (int i = 0; i < thread_count; i++) {
        int error = pthread_create(&threads[i], NULL, fetch, NULL);
        if (error != 0) {
            fprintf(stderr, "download: %s\n", strerror(error));
            return EXIT_FAILURE;
        }
    }
    while (!queue_wait(&queue))
        if (!quiet)
            show_progress();
    for (int i = 0; i < thread_count; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    int status = report();
    queue_destroy(&queue);
    return status;
}
