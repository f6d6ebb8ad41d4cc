// EXP reach unsafe
#include <stdlib.h>
extern char **environ;
void reach_error(void){}
int main(void){ char**e=environ; setenv("A","b",1); if(environ!=e) reach_error(); }
