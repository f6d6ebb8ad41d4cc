// EXP race safe
#include <unistd.h>
#include <pthread.h>
int fd[2]; int x;
void *t(void*a){ char c; if(read(fd[0],&c,1)==1) x=1; return 0; }
int main(void){ pthread_t p; if(pipe(fd)) return 0; pthread_create(&p,0,t,0); x=2; write(fd[1],"a",1); pthread_join(p,0); }
