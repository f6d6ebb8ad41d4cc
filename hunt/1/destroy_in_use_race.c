// expect: race=unsafe   (main destroys the mutex while workers still use it: later locks give EINVAL)
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;
void *f(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
int main() { pthread_t t, u;
  pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0);
  pthread_mutex_destroy(&m); pthread_join(t, 0); pthread_join(u, 0); }
