/* SPDX-License-Identifier: Apache-2.0
 *
 * frames.h: frames of the serial link (docs/uart.md), and their coding for the line.
 *
 * The numbers are those of hw/lib/uart/pm_uart_pkg.sv; a test compares both.
 */
#ifndef PM_UART_FRAMES_H
#define PM_UART_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  PM_LINK_VERSION = 1,
  PM_LINK_WINDOW = 8,       /* frames under way in each direction */
  PM_LINK_PAYLOAD = 31 * 8, /* bytes of a frame at most */
  PM_LINK_HEADER = 4,       /* to the board: kind, seq, acknowledged, length */
  PM_LINK_REPLY = 5,        /* from it: kind, seq, ack, done, length */
  PM_LINK_CRC = 4,
  PM_LINK_FRAME = PM_LINK_REPLY + PM_LINK_PAYLOAD + PM_LINK_CRC,
  PM_LINK_LINE = 2 * (PM_LINK_FRAME + 1) /* bytes of the line that a frame becomes at most */
};

enum {
  PM_LINK_SYNC = 0x01,
  PM_LINK_DATA = 0x02,
  PM_LINK_DATA_LAST = 0x03,
  PM_LINK_READ = 0x04,
  PM_LINK_WRITE = 0x05,
  PM_LINK_POLL = 0x06,
  PM_LINK_REWIND = 0x07,
  PM_LINK_SYNCED = 0x81,
  PM_LINK_RESULT = 0x82,
  PM_LINK_ACCESS = 0x84,
  PM_LINK_STATUS = 0x86,
  PM_LINK_GAP = 0x87
};

/* CRC-32 of IEEE 802.3 over `length` bytes. */
uint32_t pm_link_crc(const uint8_t *bytes, size_t length);

/* Appends the CRC to `length` bytes of a frame, which must have room for it, and codes both for the line, at most
 * PM_LINK_LINE bytes to `line`; returns their number. */
size_t pm_link_encode(uint8_t *frame, size_t length, uint8_t *line);

/* What takes frames out of the bytes of the line. All zero at first. */
typedef struct pm_link_decoder {
  uint8_t frame[PM_LINK_FRAME];
  size_t length;
  bool escape, bad;
} pm_link_decoder;

/* Takes a byte of the line. True if it ends a frame that is whole: it is in decoder->frame, without CRC, until the
 * next byte, and decoder->length bytes long. *damaged counts frames that are not. */
bool pm_link_decode(pm_link_decoder *decoder, uint8_t byte, uint64_t *damaged);

#endif /* PM_UART_FRAMES_H */
