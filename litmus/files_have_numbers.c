/* Files that a program opens have different numbers. */
#include <assert.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

int main(void) {
    int first = socket(AF_INET, SOCK_STREAM, 0), second = eventfd(0, 0), watcher = epoll_create1(0);
    if (first < 0 || second < 0 || watcher < 0) {
        return 1;
    }
    assert(first != second && second != watcher && first > 2);
    struct epoll_event event = { .events = EPOLLIN, .data.fd = second }, found[2];
    if (epoll_ctl(watcher, EPOLL_CTL_ADD, second, &event) == 0) {
        int count = epoll_wait(watcher, found, 2, 10);
        assert(count <= 1);
        assert(count < 1 || found[0].data.fd == second);
    }
    return 0;
}
