#include "url.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool copy(char *to, size_t room, const char *from, size_t length)
{
#ifdef BUG_ROOM_FOR_END
    if (length > room) /* the zero at the end needs room too */
#else
    if (length >= room)
#endif
        return false;
    memcpy(to, from, length);
    to[length] = '\0';
    return true;
}

bool url_parse(const char *text, struct url *url)
{
    static const char scheme[] = "http://";
    if (strncmp(text, scheme, sizeof scheme - 1) != 0)
        return false;
    text += sizeof scheme - 1;
    size_t host = strcspn(text, ":/");
    if (host == 0 || !copy(url->host, sizeof url->host, text, host))
        return false;
    text += host;
    strcpy(url->port, "80");
    if (*text == ':') {
        text++;
        size_t port = strspn(text, "0123456789");
        if (port == 0 || !copy(url->port, sizeof url->port, text, port))
            return false;
        text += port;
    }
    if (*text == '\0')
        text = "/";
    return *text == '/' && copy(url->path, sizeof url->path, text, strlen(text));
}

const char *url_file_name(const struct url *url)
{
    const char *slash = strrchr(url->path, '/');
    return slash == NULL || slash[1] == '\0' ? "index.html" : slash + 1;
}
