// EXP reach unsafe
void reach_error(void){} extern int epoll_wait(int,void*,int,int);
int main(void){ int e[3]={0}; epoll_wait(0,e,1,0); if(e[0]) reach_error(); }
