#include "transfer.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#ifndef BUFFER
#define BUFFER 16384
#endif

static bool failed(struct transfer *transfer, const char *what)
{
    transfer->error = what;
    return false;
}

static int connect_to(const struct url *url, const char **error)
{
    struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM };
    struct addrinfo *addresses;
    int descriptor = -1;

    int code = getaddrinfo(url->host, url->port, &hints, &addresses);
    if (code != 0) {
        *error = gai_strerror(code);
        return -1;
    }
    for (struct addrinfo *each = addresses; each != NULL; each = each->ai_next) {
        descriptor = socket(each->ai_family, each->ai_socktype, each->ai_protocol);
        if (descriptor < 0)
            continue;
        if (connect(descriptor, each->ai_addr, each->ai_addrlen) == 0)
            break;
        close(descriptor);
        descriptor = -1;
    }
    if (descriptor < 0)
        *error = "cannot connect";
#ifndef BUG_LEAK_ADDRESSES
    freeaddrinfo(addresses);
#endif
    return descriptor;
}

static bool send_all(int descriptor, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t sent = send(descriptor, bytes, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        bytes += sent;
        length -= (size_t)sent;
    }
    return true;
}

static bool send_request(int descriptor, const struct url *url)
{
    size_t room = strlen(url->path) + strlen(url->host) + 64;
    char *request = malloc(room);
    if (request == NULL)
        return false;
    int length = snprintf(request, room, "GET %s HTTP/1.0\r\nHost: %s\r\nConnection: close\r\n\r\n",
                          url->path, url->host);
    bool sent = send_all(descriptor, request, (size_t)length);
    free(request);
    return sent;
}

/* Waits until there is something to read. */
static bool wait_for_bytes(int descriptor, int timeout, const atomic_bool *stop)
{
    int waited = 0;
    while (!atomic_load(stop) && waited < timeout) {
        struct timeval second = { 1, 0 };
        fd_set readable;
        FD_ZERO(&readable);
        FD_SET(descriptor, &readable);
        int ready = select(descriptor + 1, &readable, NULL, NULL, &second);
        if (ready > 0)
            return true;
        if (ready < 0 && errno != EINTR)
            return false;
        waited++;
    }
    return false;
}

/* What has been read of the answer. */
struct answer {
    char *head; /* grows until the empty line */
    size_t length;
    bool in_body;
};

/* Looks for the end of the head. Returns where the body starts in the new bytes; -1: not yet. */
static long end_of_head(struct answer *answer, const char *bytes, size_t count)
{
    char *longer = realloc(answer->head, answer->length + count + 1);
    if (longer == NULL)
        return -2;
    memcpy(longer + answer->length, bytes, count);
    size_t before = answer->length;
    answer->head = longer;
    answer->length += count;
#ifndef BUG_NO_END_OF_HEAD
    longer[answer->length] = '\0';
#endif
    char *end = strstr(longer, "\r\n\r\n");
    if (end == NULL)
        return -1;
    answer->in_body = true;
    return end + 4 - longer - (long)before;
}

static bool take_bytes(struct transfer *transfer, struct answer *answer, const char *bytes,
                       size_t count, FILE *file)
{
    if (!answer->in_body) {
        long start = end_of_head(answer, bytes, count);
        if (start == -1)
            return true;
        if (start == -2)
            return failed(transfer, "out of memory");
        if (sscanf(answer->head, "HTTP/%*d.%*d %d", &transfer->status) != 1)
            return failed(transfer, "this is no HTTP");
        bytes += start;
        count -= (size_t)start;
    }
#ifdef BUG_PLAIN_PROGRESS
    transfer->received += count;
#else
    atomic_fetch_add_explicit(&transfer->received, count, memory_order_relaxed);
#endif
    if (file != NULL && fwrite(bytes, 1, count, file) != count)
        return failed(transfer, "cannot write");
    return true;
}

static bool receive(struct transfer *transfer, int descriptor, FILE *file,
                    const struct transfer_options *options, const atomic_bool *stop)
{
    struct answer answer = { NULL, 0, false };
    bool fine = true;
#ifdef BUG_SHARED_BUFFER
    static char buffer[BUFFER]; /* "too large for a stack": all threads write to it */
#else
    char *buffer = malloc(BUFFER);
    if (buffer == NULL)
        return failed(transfer, "out of memory");
#endif
    for (;;) {
        if (!wait_for_bytes(descriptor, options->timeout, stop)) {
            fine = failed(transfer, atomic_load(stop) ? "interrupted" : "time is over");
            break;
        }
        ssize_t count = recv(descriptor, buffer, BUFFER, 0);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            fine = failed(transfer, "cannot read");
        if (count <= 0)
            break;
        fine = take_bytes(transfer, &answer, buffer, (size_t)count, file);
        if (!fine)
            break;
    }
    if (fine && !answer.in_body)
        fine = failed(transfer, "the answer is too short");
    if (fine && transfer->status != 200)
        fine = failed(transfer, "the server refuses");
    free(answer.head);
#ifndef BUG_SHARED_BUFFER
    free(buffer);
#endif
    return fine;
}

static FILE *open_file(const struct transfer *transfer, const char *folder)
{
    const char *name = url_file_name(&transfer->url);
    size_t room = strlen(folder) + strlen(name) + 2;
    char *path = malloc(room);
    if (path == NULL)
        return NULL;
    snprintf(path, room, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    free(path);
    return file;
}

bool transfer_run(struct transfer *transfer, const struct transfer_options *options,
                  const atomic_bool *stop)
{
    FILE *file = NULL;
    int descriptor = connect_to(&transfer->url, &transfer->error);
    if (descriptor < 0)
        return false;
    if (options->folder != NULL) {
        file = open_file(transfer, options->folder);
        if (file == NULL) {
            close(descriptor);
            return failed(transfer, strerror(errno));
        }
    }
    bool fine = send_request(descriptor, &transfer->url)
                    ? receive(transfer, descriptor, file, options, stop)
                    : failed(transfer, "cannot send");
    if (file != NULL && fclose(file) != 0 && fine)
        fine = failed(transfer, "cannot write");
    close(descriptor);
    return fine;
}
