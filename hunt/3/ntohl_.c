// EXP reach safe
#include <arpa/inet.h>
void reach_error(void){}
int main(void){ volatile unsigned v=5; if(ntohl(htonl(v))!=5) reach_error(); }
