/* Printing a string reads it, here under a lock; what is written to the screen is nobody else's. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

char text[4] = "abc";
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *print(void *unused) {
    pthread_mutex_lock(&lock);
    printf("%.3s\n", text);
    fwrite(text, 1, 2, stdout);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, print, 0);
    pthread_mutex_lock(&lock);
    text[0] = 'x';
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
