// EXP termination unsafe EXP deadlock unsafe
#include <unistd.h>
int main(void){ int fd[2]; char c; if(pipe(fd)) return 0; read(fd[0],&c,1); return 0; }
