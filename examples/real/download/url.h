/* The parts of an address "http://host:port/path". */
#ifndef URL_H
#define URL_H

#include <stdbool.h>

struct url {
    char host[256];
    char port[6];
    char path[1024];
};

bool url_parse(const char *text, struct url *url);

/* The last part of the path, for a file; "index.html" if it ends in a slash. */
const char *url_file_name(const struct url *url);

#endif
