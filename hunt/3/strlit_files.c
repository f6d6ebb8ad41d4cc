// EXP reach unsafe args=[/tmp/attack3/m/sl_b.c]
void reach_error(void){}
extern const char*q;
int main(void){ const char*p="abc"; if(p!=q) reach_error(); }
