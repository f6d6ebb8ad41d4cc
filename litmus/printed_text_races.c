/* Printing a string reads it. */
#include <pthread.h>
#include <stdio.h>

char text[4] = "abc";

void *print(void *unused) {
    printf("%d %s\n", 3, text);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, print, 0);
    text[2] = 'x';
    pthread_join(thread, 0);
    return 0;
}
