/* The parts of a path, which is changed for it. */

static char here[] = ".";

static unsigned long length_of(const char *text) {
    unsigned long length = 0;
    while (text && text[length]) {
        length++;
    }
    return length;
}

char *__xpg_basename(char *path) {
    unsigned long length = length_of(path), end = length;
    if (length == 0) {
        return here;
    }
    while (end > 0 && path[end - 1] == '/') {
        end--;
    }
    if (end == 0) {
        return path + length - 1;
    }
    if (end < length) {
        path[end] = 0;
    }
    unsigned long start = end;
    while (start > 0 && path[start - 1] != '/') {
        start--;
    }
    return path + start;
}

/* Two slashes at the start stay, as in glibc. */
char *dirname(char *path) {
    unsigned long length = length_of(path), end = length;
    while (end > 0 && path[end - 1] == '/') {
        end--;
    }
    _Bool is_root = end == 0;
    while (end > 0 && path[end - 1] != '/') {
        end--;
    }
    unsigned long slashes = is_root ? length : end;
    if (slashes == 0) {
        return here;
    }
    while (end > 0 && path[end - 1] == '/') {
        end--;
    }
    path[end > 0 ? end : slashes == 2 ? 2 : 1] = 0;
    return path;
}
