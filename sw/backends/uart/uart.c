/* SPDX-License-Identifier: Apache-2.0
 *
 * uart.c: back-end "uart", a core behind pm_uart_bridge on a serial line (docs/uart.md), or on a pseudo-terminal.
 *
 * Settings: port=/dev/ttyUSB0, baud=3000000, and in ms wait=20 (without progress until something is repeated, beside
 * the time that a full window takes on the line) and silence=3000 (without any response until the link counts as
 * broken). Opening resets the core. Time is that of the core's clock, which the board tells.
 */
#define _DEFAULT_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <linux/serial.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "link.h"

enum {
  PATH_BYTES = 128,
  MAX_MS = 1000000,
  LINE_BYTES = 2 * PM_LINK_WINDOW * PM_LINK_FRAME /* of a full window, and what the kernel holds before it */
};

static const struct {
  uint64_t baud;
  speed_t speed;
} speeds[] = {
    {9600, B9600},       {19200, B19200},     {38400, B38400},     {57600, B57600},     {115200, B115200},
    {230400, B230400},   {460800, B460800},   {500000, B500000},   {576000, B576000},   {921600, B921600},
    {1000000, B1000000}, {1152000, B1152000}, {1500000, B1500000}, {2000000, B2000000}, {2500000, B2500000},
    {3000000, B3000000}, {3500000, B3500000}, {4000000, B4000000},
};

typedef struct uart {
  int file;
  uint32_t identity[PM_IDENTITY_WORDS];
  char configuration[PM_IDENTITY_CONFIGURATION + 1];
  pm_link link;
} uart;

extern const pm_backend pm_backend_uart;

static void uart_close(void *state) {
  uart *u = state;
  if (u->file >= 0) {
    close(u->file);
  }
  pm_wipe(u, sizeof *u);
  free(u);
}

/* Chips between USB and a serial line hold short answers back for up to 16 ms, unless they are told not to. */
static void ask_low_latency(int file) {
  struct serial_struct serial;
  if (ioctl(file, TIOCGSERIAL, &serial) == 0) {
    serial.flags = (int)((unsigned)serial.flags | ASYNC_LOW_LATENCY);
    (void)ioctl(file, TIOCSSERIAL, &serial); /* it is slower without */
  }
}

static pm_error open_line(uart *u, const char *port, uint64_t baud) {
  size_t index = 0;
  while (index < sizeof speeds / sizeof speeds[0] && speeds[index].baud != baud) {
    index++;
  }
  if (index == sizeof speeds / sizeof speeds[0]) {
    return pm_open_failed(PM_ERR_CONFIG, "setting baud=%llu is no rate of a serial line", (unsigned long long)baud);
  }
  u->file = open(port, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (u->file < 0) {
    return pm_open_failed(PM_ERR_IO, "%s: %s; name the line by the setting port=<file>", port, strerror(errno));
  }
  struct termios settings;
  if (tcgetattr(u->file, &settings) != 0) {
    return pm_open_failed(PM_ERR_IO, "%s is no serial line: %s", port, strerror(errno));
  }
  cfmakeraw(&settings);
  settings.c_cflag |= CLOCAL | CREAD;
  settings.c_cflag &= ~(tcflag_t)(CSTOPB | CRTSCTS);
  settings.c_cc[VMIN] = 1;
  settings.c_cc[VTIME] = 0;
  if (cfsetspeed(&settings, speeds[index].speed) != 0 || tcsetattr(u->file, TCSANOW, &settings) != 0) {
    return pm_open_failed(PM_ERR_IO, "%s does not take %llu baud: %s", port, (unsigned long long)baud, strerror(errno));
  }
  ask_low_latency(u->file);
  (void)tcflush(u->file, TCIOFLUSH);
  return PM_OK;
}

static pm_error uart_reg_read(void *state, uint32_t address, uint32_t *value) {
  return pm_link_access(&((uart *)state)->link, false, address, value);
}

static pm_error uart_open(const char *core_name, const char *config, void **state) {
  static const char *const keys[] = {"port", "baud", "wait", "silence", NULL};
  (void)core_name; /* the register NAME says it */
  uart *u = calloc(1, sizeof *u);
  if (u == NULL) {
    return PM_ERR_MEMORY;
  }
  u->file = -1;
  char port[PATH_BYTES] = "/dev/ttyUSB0";
  uint64_t baud = 3000000, wait_ms = 20, silence_ms = 3000;
  bool found = false;
  pm_error error = pm_config_check(config, keys);
  if (error == PM_OK) {
    char given[PATH_BYTES];
    error = pm_config_text(config, "port", given, sizeof given, &found);
    if (error == PM_OK && found) {
      memcpy(port, given, sizeof port);
    }
  }
  if (error == PM_OK) {
    error = pm_config_number(config, "baud", 4000000, &baud);
  }
  if (error == PM_OK) {
    error = pm_config_number(config, "wait", MAX_MS, &wait_ms);
  }
  if (error == PM_OK) {
    error = pm_config_number(config, "silence", MAX_MS, &silence_ms);
  }
  if (error == PM_OK) {
    error = open_line(u, port, baud);
  }
  if (error == PM_OK) {
    error = pm_link_begin(&u->link, u->file, wait_ms, LINE_BYTES * 10000 / baud, silence_ms);
  }
  if (error == PM_OK) {
    error = pm_identity_read(uart_reg_read, u, u->identity);
  }
  if (error != PM_OK) {
    uart_close(u);
    return error;
  }
  pm_identity identity;
  pm_identity_of(u->identity, &identity);
  memcpy(u->configuration, identity.configuration, sizeof u->configuration);
  *state = u;
  return PM_OK;
}

static pm_error uart_send(void *state, const uint8_t *bytes, size_t length, bool last, size_t *taken) {
  return pm_link_send(&((uart *)state)->link, bytes, length, last, taken);
}

static pm_error uart_recv(void *state, uint8_t *bytes, size_t capacity, size_t *length, bool *last) {
  return pm_link_recv(&((uart *)state)->link, bytes, capacity, length, last);
}

static pm_error uart_reg_write(void *state, uint32_t address, uint32_t value) {
  return pm_link_access(&((uart *)state)->link, true, address, &value);
}

static pm_error uart_advance(void *state, uint64_t cycles, uint64_t *spent) {
  return pm_link_advance(&((uart *)state)->link, cycles, spent);
}

static uint64_t uart_elapsed(void *state) {
  uint64_t cycles = 0;
  (void)pm_link_clock(&((uart *)state)->link, &cycles); /* of a broken link, what it told last */
  return cycles;
}

static const char *uart_configuration(void *state) { return ((const uart *)state)->configuration; }

static pm_error uart_identity(void *state, uint32_t words[PM_IDENTITY_WORDS]) {
  memcpy(words, ((const uart *)state)->identity, sizeof ((const uart *)state)->identity);
  return PM_OK;
}

const pm_backend pm_backend_uart = {
    .name = "uart",
    .open = uart_open,
    .close = uart_close,
    .send = uart_send,
    .recv = uart_recv,
    .reg_read = uart_reg_read,
    .reg_write = uart_reg_write,
    .advance = uart_advance,
    .elapsed = uart_elapsed,
    .configuration = uart_configuration,
    .identity = uart_identity,
};
