// The functions of libzbar.so.0 that QRScanning calls, so that a build needs Debian's libzbar0 only. See Docs/Decisions/0037.

#ifndef ZBAR_SUBSET_H
#define ZBAR_SUBSET_H

typedef struct zbar_image_scanner_s zbar_image_scanner_t;
typedef struct zbar_image_s zbar_image_t;
typedef struct zbar_symbol_s zbar_symbol_t;

// Enumerations of the library, of which these are members. They are passed as int.
enum { ZBAR_NONE = 0, ZBAR_QRCODE = 64 };
enum { ZBAR_CFG_ENABLE = 0 };

zbar_image_scanner_t *zbar_image_scanner_create(void);
void zbar_image_scanner_destroy(zbar_image_scanner_t *scanner);
int zbar_image_scanner_set_config(zbar_image_scanner_t *scanner, int symbology, int config, int value);
int zbar_scan_image(zbar_image_scanner_t *scanner, zbar_image_t *image);

zbar_image_t *zbar_image_create(void);
void zbar_image_destroy(zbar_image_t *image);
void zbar_image_set_format(zbar_image_t *image, unsigned long format);
void zbar_image_set_size(zbar_image_t *image, unsigned width, unsigned height);
void zbar_image_set_data(zbar_image_t *image, const void *data, unsigned long length, void (*cleanup)(zbar_image_t *image));
const zbar_symbol_t *zbar_image_first_symbol(const zbar_image_t *image);

const zbar_symbol_t *zbar_symbol_next(const zbar_symbol_t *symbol);
int zbar_symbol_get_type(const zbar_symbol_t *symbol);
const char *zbar_symbol_get_data(const zbar_symbol_t *symbol);
unsigned zbar_symbol_get_data_length(const zbar_symbol_t *symbol);

#endif
