/* SPDX-License-Identifier: Apache-2.0
 *
 * load.c: finding and loading the module of a simulated core.
 */
#define _GNU_SOURCE /* dladdr, secure_getenv */
#include "load.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/backend.h"
#include "../../src/pm_defaults.h"

enum { NAME_BYTES = 64, PATH_BYTES = 4096 };

static const char *default_config(const char *core) {
#define DEFAULT(name, config) \
  if (strcmp(core, name) == 0) return config;
  PM_DEFAULT_CONFIGURATIONS(DEFAULT)
#undef DEFAULT
  return "";
}

/* Folder of the shared object that this is in, without the last slash; "" if it is not known. */
static void own_folder(char *folder, size_t size) {
  static const char here;
  Dl_info info;
  folder[0] = '\0';
  if (dladdr(&here, &info) != 0 && info.dli_fname != NULL) {
    const char *slash = strrchr(info.dli_fname, '/');
    if (slash != NULL) {
      (void)snprintf(folder, size, "%.*s", (int)(slash - info.dli_fname), info.dli_fname);
    }
  }
}

/* Whether the file is a 64-bit ELF and holds all that its program headers name: the dynamic linker maps what is not
 * there, and the process ends by a signal. */
static bool is_whole(FILE *file) {
  Elf64_Ehdr header;
  if (fread(&header, sizeof header, 1, file) != 1 || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr) ||
      fseek(file, 0, SEEK_END) != 0) {
    return false;
  }
  long size = ftell(file);
  uint64_t held = size > 0 ? (uint64_t)size : 0;
  bool whole = header.e_phnum != 0;
  for (unsigned i = 0; whole && i < header.e_phnum; i++) {
    Elf64_Phdr part;
    uint64_t at = header.e_phoff + (uint64_t)i * sizeof part;
    whole = at < held && fseek(file, (long)at, SEEK_SET) == 0 && fread(&part, sizeof part, 1, file) == 1 &&
            part.p_filesz <= held && part.p_offset <= held - part.p_filesz;
  }
  return whole;
}

/* Loads the file if it is there. *found: it is; CONFIG: but it is no module of this driver. */
static pm_error load_file(const char *path, const pm_sim_module **module, bool *found) {
  FILE *file = fopen(path, "rb");
  *found = file != NULL;
  if (file == NULL) {
    return PM_OK;
  }
  bool whole = is_whole(file);
  (void)fclose(file);
  if (!whole) {
    return pm_open_failed(PM_ERR_CONFIG, "%s is damaged or no shared library", path);
  }
  /* Never unloaded: what C++ registered for the end of the process must still be there then. */
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (handle == NULL) {
    return pm_open_failed(PM_ERR_CONFIG, "%s cannot be loaded: %s", path, dlerror());
  }
  *module = dlsym(handle, PM_SIM_SYMBOL);
  if (*module == NULL) {
    return pm_open_failed(PM_ERR_CONFIG, "%s is no simulated core of Pointmill", path);
  }
  if ((*module)->interface != PM_SIM_INTERFACE) {
    return pm_open_failed(PM_ERR_CONFIG, "%s was built for another version of the driver (interface %u, not %u)", path,
                          (unsigned)(*module)->interface, PM_SIM_INTERFACE);
  }
  return PM_OK;
}

/* Looks for a module in the folders in which one may be. */
static pm_error find(const char *folder, const char *core, const char *config, const pm_sim_module **module) {
  char own[PATH_BYTES], path[PATH_BYTES];
  own_folder(own, sizeof own);
  const char *folders[] = {folder, secure_getenv("PM_SIM_PATH"), own,
#ifdef PM_MODULE_DIR
                           PM_MODULE_DIR,
#endif
                           NULL};
  const char *last = "the folders of modules";
  for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
    if (folders[i] == NULL || folders[i][0] == '\0') {
      continue;
    }
    int length = snprintf(path, sizeof path, "%s/pointmill-sim-%s-%s.so", folders[i], core, config);
    bool found = false;
    pm_error error = PM_OK;
    if (length > 0 && (size_t)length < sizeof path) {
      error = load_file(path, module, &found);
    }
    if (found) {
      return error;
    }
    last = folders[i];
    if (i <= 1) {
      break; /* a folder that was named is the only one */
    }
  }
  return pm_open_failed(PM_ERR_CONFIG, "no simulated core %s-%s in %s", core, config, last);
}

pm_error pm_sim_load(const char *core, const char *config, const pm_sim_module **module) {
  char name[NAME_BYTES], path[PATH_BYTES], folder[PATH_BYTES] = "";
  bool is_file = false, is_folder = false, found = false;
  pm_error error = pm_config_name(config, "", name, sizeof name);
  if (error == PM_OK) error = pm_config_text(config, "module", path, sizeof path, &is_file);
  if (error == PM_OK) error = pm_config_text(config, "modules", folder, sizeof folder, &is_folder);
  if (error != PM_OK) {
    return error;
  }
  char *dash = strchr(name, '-');
  const char *wanted = dash != NULL ? dash + 1 : name;
  if (!is_file) {
    if (dash != NULL) {
      *dash = '\0';
      core = name;
    }
    return find(folder, core, wanted[0] != '\0' ? wanted : default_config(core), module);
  }
  error = load_file(path, module, &found);
  if (error == PM_OK && !found) {
    error = pm_open_failed(PM_ERR_CONFIG, "no file %s", path);
  }
  if (error == PM_OK && wanted[0] != '\0' && strcmp(wanted, (*module)->config) != 0) {
    error = pm_open_failed(PM_ERR_CONFIG, "the simulated core is %s, not %s", (*module)->config, wanted);
  }
  return error;
}
