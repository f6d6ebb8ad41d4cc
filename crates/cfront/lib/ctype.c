/* Characters in the C locale. The headers of the C library look them up in tables, which are found
   through pointers and can be indexed by characters from -128 to 255. */

static const unsigned short __mazurka_classes[384] = {
    [128] =
        0x2, 0x2, 0x2, 0x2, 0x2, 0x2, 0x2, 0x2, 0x2, 0x2003, 0x2002, 0x2002,
        0x2002, 0x2002, 0x2, 0x2, 0x2, 0x2, 0x2, 0x2, 0x2, 0x2, 0x2, 0x2,
        0x2, 0x2, 0x2, 0x2, 0x2, 0x2, 0x2, 0x2, 0x6001, 0xc004, 0xc004, 0xc004,
        0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004,
        0xd808, 0xd808, 0xd808, 0xd808, 0xd808, 0xd808, 0xd808, 0xd808, 0xd808, 0xd808, 0xc004, 0xc004,
        0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xd508, 0xd508, 0xd508, 0xd508, 0xd508, 0xd508, 0xc508,
        0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508,
        0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004,
        0xc004, 0xd608, 0xd608, 0xd608, 0xd608, 0xd608, 0xd608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608,
        0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608,
        0xc608, 0xc608, 0xc608, 0xc004, 0xc004, 0xc004, 0xc004, 0x2,
};

static const unsigned short *__mazurka_classes_at_zero = __mazurka_classes + 128;

const unsigned short **__ctype_b_loc(void) {
    return &__mazurka_classes_at_zero;
}

static const int __mazurka_lower[384] = {
    128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143, 144, 145, 146, 147, 148, 149, 150, 151,
    152, 153, 154, 155, 156, 157, 158, 159, 160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175,
    176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191, 192, 193, 194, 195, 196, 197, 198, 199,
    200, 201, 202, 203, 204, 205, 206, 207, 208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222, 223,
    224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239, 240, 241, 242, 243, 244, 245, 246, 247,
    248, 249, 250, 251, 252, 253, 254, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39,
    40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63,
    64, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119,
    120, 121, 122, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111,
    112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 134, 135,
    136, 137, 138, 139, 140, 141, 142, 143, 144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159,
    160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175, 176, 177, 178, 179, 180, 181, 182, 183,
    184, 185, 186, 187, 188, 189, 190, 191, 192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203, 204, 205, 206, 207,
    208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222, 223, 224, 225, 226, 227, 228, 229, 230, 231,
    232, 233, 234, 235, 236, 237, 238, 239, 240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255,
};

static const int __mazurka_upper[384] = {
    128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143, 144, 145, 146, 147, 148, 149, 150, 151,
    152, 153, 154, 155, 156, 157, 158, 159, 160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175,
    176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191, 192, 193, 194, 195, 196, 197, 198, 199,
    200, 201, 202, 203, 204, 205, 206, 207, 208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222, 223,
    224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239, 240, 241, 242, 243, 244, 245, 246, 247,
    248, 249, 250, 251, 252, 253, 254, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39,
    40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63,
    64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87,
    88, 89, 90, 91, 92, 93, 94, 95, 96, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79,
    80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 134, 135,
    136, 137, 138, 139, 140, 141, 142, 143, 144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159,
    160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175, 176, 177, 178, 179, 180, 181, 182, 183,
    184, 185, 186, 187, 188, 189, 190, 191, 192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203, 204, 205, 206, 207,
    208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222, 223, 224, 225, 226, 227, 228, 229, 230, 231,
    232, 233, 234, 235, 236, 237, 238, 239, 240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255,
};

static const int *__mazurka_lower_at_zero = __mazurka_lower + 128;
static const int *__mazurka_upper_at_zero = __mazurka_upper + 128;

const int **__ctype_tolower_loc(void) {
    return &__mazurka_lower_at_zero;
}

const int **__ctype_toupper_loc(void) {
    return &__mazurka_upper_at_zero;
}

/* Which number stands for "yes" is not said by the standard: any but 0 comes back. The functions with `plain` in
   their names are called where only the truth matters. */

int __mazurka_any_int(void);
void __mazurka_assume(int condition);

static int truth(int any) {
    __mazurka_assume(any != 0);
    return any;
}

int __mazurka_plain_isdigit(int c) { return c >= '0' && c <= '9'; }
int __mazurka_plain_isupper(int c) { return c >= 'A' && c <= 'Z'; }
int __mazurka_plain_islower(int c) { return c >= 'a' && c <= 'z'; }
int __mazurka_plain_isalpha(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
int __mazurka_plain_isalnum(int c) { return __mazurka_plain_isalpha(c) || __mazurka_plain_isdigit(c); }
int __mazurka_plain_isxdigit(int c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
int __mazurka_plain_isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
int __mazurka_plain_isblank(int c) { return c == ' ' || c == '\t'; }
int __mazurka_plain_isprint(int c) { return c >= ' ' && c <= '~'; }
int __mazurka_plain_isgraph(int c) { return c > ' ' && c <= '~'; }
int __mazurka_plain_ispunct(int c) { return __mazurka_plain_isgraph(c) && !__mazurka_plain_isalnum(c); }
int __mazurka_plain_iscntrl(int c) { return (c >= 0 && c < ' ') || c == 127; }
int __mazurka_plain_isascii(int c) { return c >= 0 && c < 128; }

int isdigit(int c) { return __mazurka_plain_isdigit(c) ? truth(__mazurka_any_int()) : 0; }
int isupper(int c) { return __mazurka_plain_isupper(c) ? truth(__mazurka_any_int()) : 0; }
int islower(int c) { return __mazurka_plain_islower(c) ? truth(__mazurka_any_int()) : 0; }
int isalpha(int c) { return __mazurka_plain_isalpha(c) ? truth(__mazurka_any_int()) : 0; }
int isalnum(int c) { return __mazurka_plain_isalnum(c) ? truth(__mazurka_any_int()) : 0; }
int isxdigit(int c) { return __mazurka_plain_isxdigit(c) ? truth(__mazurka_any_int()) : 0; }
int isspace(int c) { return __mazurka_plain_isspace(c) ? truth(__mazurka_any_int()) : 0; }
int isblank(int c) { return __mazurka_plain_isblank(c) ? truth(__mazurka_any_int()) : 0; }
int isprint(int c) { return __mazurka_plain_isprint(c) ? truth(__mazurka_any_int()) : 0; }
int isgraph(int c) { return __mazurka_plain_isgraph(c) ? truth(__mazurka_any_int()) : 0; }
int ispunct(int c) { return __mazurka_plain_ispunct(c) ? truth(__mazurka_any_int()) : 0; }
int iscntrl(int c) { return __mazurka_plain_iscntrl(c) ? truth(__mazurka_any_int()) : 0; }
int isascii(int c) { return __mazurka_plain_isascii(c) ? truth(__mazurka_any_int()) : 0; }

int tolower(int c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; }
int toupper(int c) { return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c; }
int _tolower(int c) { return c - 'A' + 'a'; }
int _toupper(int c) { return c - 'a' + 'A'; }
int toascii(int c) { return c & 127; }
