// EXP reach safe
#include <unistd.h>
void reach_error(void){}
int main(void){ int fd[2]; if(pipe(fd)) return 0; close(fd[0]); write(fd[1],"a",1); reach_error(); }
