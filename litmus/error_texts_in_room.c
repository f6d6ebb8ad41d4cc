/* Room for the text of an error number, requests to a terminal, and what runs. */
#define _GNU_SOURCE
#include <assert.h>
#include <execinfo.h>
#include <string.h>
#include <sys/ioctl.h>

int main(void) {
    char room[20];
    char *text = strerror_r(1000, room, sizeof room);
    assert(text == room && strcmp(room, "Unknown error 1000") == 0);
    strerror_r(1, room, sizeof room);
    struct winsize size = { .ws_row = 1 };
    int code = ioctl(0, TIOCGWINSZ, &size);
    assert(code == 0 || (code == -1 && size.ws_row == 1));
    void *places[2];
    int count = backtrace(places, 2);
    assert(count >= 0 && count <= 2);
    return 0;
}
