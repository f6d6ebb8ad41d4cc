// EXP reach safe args=[--data-model ilp32]
void reach_error(void){}
#pragma pack(push,2)
struct T26 { char c; _Alignas(8) int i; struct { char x; int y; } __attribute__((aligned(4))) z; };
#pragma pack(pop)
int main(void){ if(sizeof(struct T26)!=14||_Alignof(struct T26)!=2) reach_error(); return 0; }
