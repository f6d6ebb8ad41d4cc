// EXP termination unsafe
#include <unistd.h>
int main(void){ int fd[2]; static char c[1000000]; if(pipe(fd)) return 0; write(fd[1],c,1000000); return 0; }
