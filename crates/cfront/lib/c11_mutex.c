/* The mutexes of C11, on top of those of POSIX; only the results have other names. */

enum { RECURSIVE = 1, SUCCESS = 0, BUSY = 1, ERROR = 2, TIMED_OUT = 4, EBUSY = 16, ETIMEDOUT = 110 };

void __mazurka_mutex_set_kind(void *mutex, unsigned kind);
int pthread_mutex_destroy(void *mutex);
int pthread_mutex_lock(void *mutex);
int pthread_mutex_trylock(void *mutex);
int pthread_mutex_timedlock(void *mutex, const void *until);
int pthread_mutex_unlock(void *mutex);

int mtx_init(void *mutex, int type) {
    __mazurka_mutex_set_kind(mutex, (unsigned)type & RECURSIVE);
    return SUCCESS;
}

void mtx_destroy(void *mutex) {
    pthread_mutex_destroy(mutex);
}

int mtx_lock(void *mutex) {
    return pthread_mutex_lock(mutex) == 0 ? SUCCESS : ERROR;
}

int mtx_trylock(void *mutex) {
    int result = pthread_mutex_trylock(mutex);
    return result == 0 ? SUCCESS : result == EBUSY ? BUSY : ERROR;
}

int mtx_timedlock(void *mutex, const void *until) {
    int result = pthread_mutex_timedlock(mutex, until);
    return result == 0 ? SUCCESS : result == ETIMEDOUT ? TIMED_OUT : ERROR;
}

int mtx_unlock(void *mutex) {
    return pthread_mutex_unlock(mutex) == 0 ? SUCCESS : ERROR;
}

int pthread_cond_wait(void *cond, void *mutex);

int cnd_wait(void *cond, void *mutex) {
    return pthread_cond_wait(cond, mutex) == 0 ? SUCCESS : ERROR;
}
