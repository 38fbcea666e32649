/* SPDX-License-Identifier: Apache-2.0
 *
 * frames.c: SLIP (RFC 1055) and CRC-32 (IEEE 802.3) of the serial link.
 */
#include "frames.h"

enum { SLIP_END = 0xc0, SLIP_ESCAPE = 0xdb, SLIP_ESCAPED_END = 0xdc, SLIP_ESCAPED_ESCAPE = 0xdd };

uint32_t pm_link_crc(const uint8_t *bytes, size_t length) {
  uint32_t crc = 0xffffffffu;
  for (size_t i = 0; i < length; i++) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; bit++) {
      crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320u : 0);
    }
  }
  return ~crc;
}

size_t pm_link_encode(uint8_t *frame, size_t length, uint8_t *line) {
  uint32_t crc = pm_link_crc(frame, length);
  for (int i = 0; i < PM_LINK_CRC; i++) {
    frame[length++] = (uint8_t)(crc >> (8 * i));
  }
  size_t n = 0;
  line[n++] = SLIP_END; /* closes what a disturbance left */
  for (size_t i = 0; i < length; i++) {
    if (frame[i] == SLIP_END || frame[i] == SLIP_ESCAPE) {
      line[n++] = SLIP_ESCAPE;
      line[n++] = frame[i] == SLIP_END ? SLIP_ESCAPED_END : SLIP_ESCAPED_ESCAPE;
    } else {
      line[n++] = frame[i];
    }
  }
  line[n++] = SLIP_END;
  return n;
}

/* Whether the bytes collected are a frame with its CRC; takes the CRC off. */
static bool is_whole(pm_link_decoder *decoder) {
  size_t length = decoder->length;
  if (decoder->bad || length < PM_LINK_REPLY + PM_LINK_CRC ||
      length != (size_t)PM_LINK_REPLY + decoder->frame[PM_LINK_REPLY - 1] + PM_LINK_CRC) {
    return false;
  }
  decoder->length = length - PM_LINK_CRC;
  uint32_t crc = 0;
  for (int i = 0; i < PM_LINK_CRC; i++) {
    crc |= (uint32_t)decoder->frame[decoder->length + (size_t)i] << (8 * i);
  }
  return crc == pm_link_crc(decoder->frame, decoder->length);
}

bool pm_link_decode(pm_link_decoder *decoder, uint8_t byte, uint64_t *damaged) {
  if (byte == SLIP_END) {
    bool any = decoder->length != 0 || decoder->bad || decoder->escape;
    decoder->bad = decoder->bad || decoder->escape;
    bool whole = any && is_whole(decoder);
    *damaged += any && !whole;
    if (!whole) {
      decoder->length = 0;
    }
    decoder->escape = false;
    decoder->bad = false;
    return whole;
  }
  if (byte == SLIP_ESCAPE && !decoder->escape) {
    decoder->escape = true;
    return false;
  }
  if (decoder->escape) {
    decoder->bad = decoder->bad || (byte != SLIP_ESCAPED_END && byte != SLIP_ESCAPED_ESCAPE);
    byte = byte == SLIP_ESCAPED_END ? SLIP_END : SLIP_ESCAPE;
    decoder->escape = false;
  }
  if (decoder->length == sizeof decoder->frame) {
    decoder->bad = true; /* longer than any frame */
  } else {
    decoder->frame[decoder->length++] = byte;
  }
  return false;
}
