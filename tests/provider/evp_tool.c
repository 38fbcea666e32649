/* SPDX-License-Identifier: Apache-2.0
 *
 * evp_tool.c: a program that knows OpenSSL's EVP alone, for tests of the provider. Which provider works, the
 * configuration says. It reads lines and writes one line for each, in their order:
 *
 *   verify ALG DIGEST PUBLIC MESSAGE SIGNATURE [ID]    valid | invalid
 *   sign ALG DIGEST PRIVATE MESSAGE [ID | nonce]        the signature
 *   verify ED25519 - PUBLIC MESSAGE SIGNATURE INSTANCE  the same with the parameters of another signature:
 *   sign ED25519 - PRIVATE MESSAGE INSTANCE             Ed25519ph, for example, or "context" for a context string
 *   derive ALG PRIVATE PUBLIC                           the shared secret
 *   public ALG PRIVATE                                  the public key of a private one
 *   generate ALG                                        valid: a new key, checked as a pair
 *   check ALG PUBLIC                                    valid | invalid: a public key
 *   curve ALG                                           what a new key of EC says of its curve
 *   selftest                                            valid | invalid: of the provider pointmill
 *   describe                                            name, version, build and status of it
 *   statistics                                          the text of its parameter
 *
 * ALG is ED25519, X25519, X448, SM2 or EC:<group>. Texts are hex, "-" is an empty one or none. PUBLIC is the key as on
 * the wire or, behind "der:", a SubjectPublicKeyInfo. DIGEST "-" signs MESSAGE itself, for ECDSA and SM2 a digest.
 * "nonce" asks for the deterministic one. PRIVATE of a signature by Ed25519 may have a public key behind it. What fails
 * is "error: <reason>".
 *
 *   evp_tool              one line after the other
 *   evp_tool threads T    the lines by T threads
 *   evp_tool fork K       in this process, then by K children at once, which must write the same
 *   evp_tool repeat N     N times; then how many kilobytes the process grew after the first tenth
 */
#define _GNU_SOURCE
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/provider.h>
#include <openssl/x509.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_WORDS = 8, MOST_BYTES = 70000, MOST_LINES = 20000, RESULT_BYTES = 32768 };

typedef struct bytes {
  unsigned char *at;
  size_t length;
} bytes;

static bytes hex(const char *text) {
  long length = 0;
  if (text == NULL || strcmp(text, "-") == 0) {
    return (bytes){calloc(1, 1), 0};
  }
  text += strncmp(text, "der:", 4) == 0 ? 4 : 0;
  unsigned char *at = OPENSSL_hexstr2buf(text, &length);
  return (bytes){at, at == NULL ? 0 : (size_t)length};
}

static void write_hex(char *result, const unsigned char *at, size_t length) {
  for (size_t i = 0; i < length; i++) {
    (void)sprintf(result + 2 * i, "%02x", at[i]);
  }
}

/* The latest error: the most specific one is the first that was raised. */
static void write_error(char *result) {
  unsigned long code = ERR_get_error();
  const char *reason = ERR_reason_error_string(code);
  (void)snprintf(result, RESULT_BYTES, "error: %s", code == 0 ? "without reason" : reason == NULL ? "?" : reason);
}

/* A key of raw parts; either may be empty. */
static EVP_PKEY *key_of(const char *algorithm, bytes private_key, bytes public_key) {
  const char *group = strncmp(algorithm, "EC:", 3) == 0 ? algorithm + 3 : strcmp(algorithm, "SM2") == 0 ? "SM2" : NULL;
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, strncmp(algorithm, "EC:", 3) == 0 ? "EC" : algorithm, NULL);
  OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
  OSSL_PARAM *params = NULL;
  BIGNUM *number = BN_bin2bn(private_key.at, (int)private_key.length, NULL);
  EVP_PKEY *key = NULL;
  if (group != NULL) {
    OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, group, 0);
  }
  if (public_key.length != 0) {
    OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, public_key.at, public_key.length);
  }
  if (private_key.length != 0 && group != NULL) {
    OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_PRIV_KEY, number);
  } else if (private_key.length != 0) {
    OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PRIV_KEY, private_key.at, private_key.length);
  }
  params = OSSL_PARAM_BLD_to_param(build);
  if (ctx == NULL || EVP_PKEY_fromdata_init(ctx) <= 0 ||
      EVP_PKEY_fromdata(ctx, &key, private_key.length != 0 ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, params) <= 0) {
    key = NULL;
  }
  OSSL_PARAM_free(params);
  OSSL_PARAM_BLD_free(build);
  BN_free(number);
  EVP_PKEY_CTX_free(ctx);
  return key;
}

/* Parameters of a signature: SM2's identifier, or the kind of nonce. */
static int set_extra(EVP_PKEY_CTX *ctx, const char *extra) {
  if (extra == NULL) {
    return 1;
  }
  bytes id = hex(strcmp(extra, "nonce") == 0 ? "-" : extra);
  unsigned deterministic = 1;
  OSSL_PARAM params[] = {
      strcmp(extra, "nonce") == 0 ? OSSL_PARAM_construct_uint("nonce-type", &deterministic)
                                  : OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_DIST_ID, id.at, id.length),
      OSSL_PARAM_construct_end()};
  int done = EVP_PKEY_CTX_set_params(ctx, params);
  free(id.at);
  return done;
}

/* Parameters with which a signature of Ed25519 begins. */
static void set_instance(OSSL_PARAM params[2], char *instance) {
  static unsigned char text[] = "context";
  params[0] = strcmp(instance, "context") == 0 ? OSSL_PARAM_construct_octet_string("context-string", text, 7)
                                               : OSSL_PARAM_construct_utf8_string("instance", instance, 0);
  params[1] = OSSL_PARAM_construct_end();
}

/* The public key of a word and of its bytes. */
static EVP_PKEY *public_of(const char *algorithm, const char *word, bytes text) {
  const unsigned char *at = text.at;
  if (strncmp(word, "der:", 4) == 0) {
    return d2i_PUBKEY_ex(NULL, &at, (long)text.length, NULL, NULL);
  }
  return key_of(algorithm, (bytes){NULL, 0}, text);
}

static int verify(char **word, char *result, bytes key_text, bytes message, bytes signature) {
  EVP_PKEY *key = public_of(word[1], word[3], key_text);
  EVP_MD_CTX *md = EVP_MD_CTX_new();
  EVP_PKEY_CTX *ctx = NULL;
  int valid = -1;
  if (key == NULL) {
    valid = -1;
  } else if (strcmp(word[2], "-") != 0 || strcmp(word[1], "ED25519") == 0) {
    const char *digest = strcmp(word[2], "-") == 0 ? NULL : word[2];
    OSSL_PARAM params[2];
    int with = strcmp(word[1], "ED25519") == 0 && word[6] != NULL;
    if (with) {
      set_instance(params, word[6]);
    }
    if (EVP_DigestVerifyInit_ex(md, &ctx, digest, NULL, NULL, key, with ? params : NULL) > 0 &&
        (with || set_extra(ctx, word[6]) > 0)) {
      valid = EVP_DigestVerify(md, signature.at, signature.length, message.at, message.length);
    }
  } else {
    ctx = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    if (EVP_PKEY_verify_init(ctx) > 0) {
      valid = EVP_PKEY_verify(ctx, signature.at, signature.length, message.at, message.length);
    }
    EVP_PKEY_CTX_free(ctx);
  }
  EVP_MD_CTX_free(md);
  EVP_PKEY_free(key);
  if (valid == 1 || (valid == 0 && ERR_peek_error() == 0)) {
    (void)strcpy(result, valid ? "valid" : "invalid");
    return 1;
  }
  return 0;
}

static int sign(char **word, char *result, bytes key_text, bytes message) {
  size_t seed = strcmp(word[1], "ED25519") == 0 && key_text.length > 32 ? 32 : key_text.length;
  EVP_PKEY *key = key_of(word[1], (bytes){key_text.at, seed}, (bytes){key_text.at + seed, key_text.length - seed});
  EVP_MD_CTX *md = EVP_MD_CTX_new();
  EVP_PKEY_CTX *ctx = NULL;
  unsigned char signature[256];
  size_t length = sizeof signature;
  int done = 0;
  if (key != NULL && (strcmp(word[2], "-") != 0 || strcmp(word[1], "ED25519") == 0)) {
    const char *digest = strcmp(word[2], "-") == 0 ? NULL : word[2];
    OSSL_PARAM params[2];
    int with = strcmp(word[1], "ED25519") == 0 && word[5] != NULL;
    if (with) {
      set_instance(params, word[5]);
    }
    done = EVP_DigestSignInit_ex(md, &ctx, digest, NULL, NULL, key, with ? params : NULL) > 0 &&
           (with || set_extra(ctx, word[5]) > 0) &&
           EVP_DigestSign(md, signature, &length, message.at, message.length) > 0;
  } else if (key != NULL) {
    ctx = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    done = EVP_PKEY_sign_init(ctx) > 0 && set_extra(ctx, word[5]) > 0 &&
           EVP_PKEY_sign(ctx, signature, &length, message.at, message.length) > 0;
    EVP_PKEY_CTX_free(ctx);
  }
  EVP_MD_CTX_free(md);
  EVP_PKEY_free(key);
  if (done) {
    write_hex(result, signature, length);
  }
  return done;
}

static int derive(char **word, char *result, bytes private_key, bytes public_key) {
  EVP_PKEY *key = key_of(word[1], private_key, (bytes){NULL, 0}), *peer = NULL;
  EVP_PKEY_CTX *ctx = NULL;
  unsigned char secret[128];
  size_t length = sizeof secret;
  int done = key != NULL && (peer = public_of(word[1], word[3], public_key)) != NULL &&
             (ctx = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL)) != NULL && EVP_PKEY_derive_init(ctx) > 0 &&
             EVP_PKEY_derive_set_peer(ctx, peer) > 0 && EVP_PKEY_derive(ctx, secret, &length) > 0;
  EVP_PKEY_CTX_free(ctx);
  EVP_PKEY_free(key);
  EVP_PKEY_free(peer);
  if (done) {
    write_hex(result, secret, length);
  }
  return done;
}

static int write_public(char **word, char *result, bytes private_key) {
  EVP_PKEY *key = key_of(word[1], private_key, (bytes){NULL, 0});
  unsigned char encoded[160];
  size_t length = 0;
  int done = key != NULL && EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, encoded, sizeof encoded,
                                                            &length) > 0;
  EVP_PKEY_free(key);
  if (done) {
    write_hex(result, encoded, length);
  }
  return done;
}

static int generate(char **word, char *result) {
  const char *group = strncmp(word[1], "EC:", 3) == 0 ? word[1] + 3 : NULL;
  EVP_PKEY *key = group != NULL ? EVP_PKEY_Q_keygen(NULL, NULL, "EC", group) : EVP_PKEY_Q_keygen(NULL, NULL, word[1]);
  EVP_PKEY_CTX *ctx = key == NULL ? NULL : EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
  int done = ctx != NULL && EVP_PKEY_public_check(ctx) == 1 && EVP_PKEY_check(ctx) == 1;
  EVP_PKEY_CTX_free(ctx);
  EVP_PKEY_free(key);
  if (done) {
    (void)strcpy(result, "valid");
  }
  return done;
}

/* Name, sizes, kind of field, p, a, b, order and cofactor, and the base point. */
static int describe_curve(char **word, char *result) {
  static const char *const numbers[] = {OSSL_PKEY_PARAM_EC_P, OSSL_PKEY_PARAM_EC_A, OSSL_PKEY_PARAM_EC_B,
                                        OSSL_PKEY_PARAM_EC_ORDER, OSSL_PKEY_PARAM_EC_COFACTOR};
  EVP_PKEY *key = EVP_PKEY_Q_keygen(NULL, NULL, "EC", word[1] + strlen("EC:"));
  char name[64] = "";
  unsigned char base[160];
  size_t length = 0;
  int done = key != NULL && EVP_PKEY_get_group_name(key, name, sizeof name, &length) > 0 &&
             EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_EC_GENERATOR, base, sizeof base, &length) > 0;
  char *to = result;
  if (done) {
    to += sprintf(to, "%s %d %d %d", name, EVP_PKEY_get_bits(key), EVP_PKEY_get_security_bits(key),
                  EVP_PKEY_get_field_type(key));
  }
  for (size_t i = 0; done && i < sizeof numbers / sizeof numbers[0]; i++) {
    BIGNUM *number = NULL;
    done = EVP_PKEY_get_bn_param(key, numbers[i], &number);
    char *text = done ? BN_bn2hex(number) : NULL;
    to += sprintf(to, " %s", text == NULL ? "-" : text);
    OPENSSL_free(text);
    BN_free(number);
  }
  EVP_PKEY_free(key);
  if (done) {
    *to++ = ' ';
    write_hex(to, base, length);
  }
  return done;
}

static int check(char **word, char *result, bytes public_key) {
  EVP_PKEY *key = public_of(word[1], word[2], public_key);
  EVP_PKEY_CTX *ctx = key == NULL ? NULL : EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
  int done = ctx != NULL && EVP_PKEY_public_check(ctx) == 1;
  EVP_PKEY_CTX_free(ctx);
  EVP_PKEY_free(key);
  if (done) {
    (void)strcpy(result, "valid");
  }
  return done;
}

static int of_provider(char **word, char *result) {
  OSSL_PROVIDER *provider = OSSL_PROVIDER_load(NULL, "pointmill");
  char *name = NULL, *version = NULL, *build = NULL;
  int status = 0, done = 0;
  if (provider != NULL && strcmp(word[0], "selftest") == 0) {
    done = OSSL_PROVIDER_self_test(provider) == 1;
    (void)strcpy(result, "valid");
  } else if (provider != NULL && strcmp(word[0], "describe") == 0) {
    OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_ptr(OSSL_PROV_PARAM_NAME, &name, 0),
                           OSSL_PARAM_construct_utf8_ptr(OSSL_PROV_PARAM_VERSION, &version, 0),
                           OSSL_PARAM_construct_utf8_ptr(OSSL_PROV_PARAM_BUILDINFO, &build, 0),
                           OSSL_PARAM_construct_int(OSSL_PROV_PARAM_STATUS, &status), OSSL_PARAM_construct_end()};
    done = OSSL_PROVIDER_get_params(provider, params);
    (void)snprintf(result, RESULT_BYTES, "%s | %s | %s | %d", name, version, build, status);
  } else if (provider != NULL) {
    OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string("statistics", result, RESULT_BYTES),
                           OSSL_PARAM_construct_end()};
    done = OSSL_PROVIDER_get_params(provider, params);
    for (char *at = result; *at != '\0'; at++) {
      *at = *at == '\n' ? ' ' : *at;
    }
  }
  OSSL_PROVIDER_unload(provider);
  return done;
}

static void run_line(const char *line, char *result) {
  char *copy = strdup(line), *word[MOST_WORDS + 1] = {NULL}, *rest = NULL;
  size_t count = 0;
  for (char *at = strtok_r(copy, " \n", &rest); at != NULL && count < MOST_WORDS; at = strtok_r(NULL, " \n", &rest)) {
    word[count++] = at;
  }
  bytes third = hex(count > 2 ? word[2] : NULL), fourth = hex(count > 3 ? word[3] : NULL);
  bytes fifth = hex(count > 4 ? word[4] : NULL), sixth = hex(count > 5 ? word[5] : NULL);
  int done = 0;
  result[0] = '\0';
  ERR_clear_error();
  if (count >= 6 && strcmp(word[0], "verify") == 0) {
    done = verify(word, result, fourth, fifth, sixth);
  } else if (count >= 5 && strcmp(word[0], "sign") == 0) {
    done = sign(word, result, fourth, fifth);
  } else if (count == 4 && strcmp(word[0], "derive") == 0) {
    done = derive(word, result, third, fourth);
  } else if (count == 3 && strcmp(word[0], "public") == 0) {
    done = write_public(word, result, third);
  } else if (count == 3 && strcmp(word[0], "check") == 0) {
    done = check(word, result, third);
  } else if (count == 2 && strcmp(word[0], "generate") == 0) {
    done = generate(word, result);
  } else if (count == 2 && strcmp(word[0], "curve") == 0) {
    done = describe_curve(word, result);
  } else if (count == 1) {
    done = of_provider(word, result);
  }
  if (!done) {
    write_error(result);
  }
  free(third.at);
  free(fourth.at);
  free(fifth.at);
  free(sixth.at);
  free(copy);
}

static char *lines[MOST_LINES], *results[MOST_LINES];
static size_t line_count, threads;

/* Every line of one thread: `first` points at the first of them. */
static void *run_share(void *first) {
  char *result = malloc(RESULT_BYTES);
  for (size_t i = (size_t)((char **)first - lines); i < line_count; i += threads) {
    run_line(lines[i], result);
    results[i] = strdup(result);
  }
  free(result);
  return NULL;
}

static void run_threads(size_t count) {
  pthread_t ids[64];
  threads = count;
  for (size_t i = 0; i < count; i++) {
    pthread_create(&ids[i], NULL, run_share, &lines[i]);
  }
  for (size_t i = 0; i < count; i++) {
    pthread_join(ids[i], NULL);
  }
}

/* Whether every line gives in a child what it gave here. */
static int run_children(int count) {
  int good = 1;
  for (int i = 0; i < count; i++) {
    if (fork() == 0) {
      char *result = malloc(RESULT_BYTES);
      int same = 1;
      for (size_t k = 0; k < line_count; k++) {
        run_line(lines[k], result);
        same = same && strcmp(result, results[k]) == 0;
      }
      free(result);
      exit(same ? 0 : 1);
    }
  }
  for (int i = 0; i < count; i++) {
    int status = 1;
    good = wait(&status) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0 && good;
  }
  return good;
}

/* Resident memory in kilobytes. */
static long resident(void) {
  long pages = 0, kept = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld %ld", &pages, &kept) != 2) {
    abort();
  }
  (void)fclose(file);
  return kept * (sysconf(_SC_PAGESIZE) / 1024);
}

static int run_repeatedly(long count) {
  char *result = malloc(RESULT_BYTES);
  long before = 0, failed = 0;
  for (long i = 0; i < count; i++) {
    for (size_t k = 0; k < line_count; k++) {
      run_line(lines[k], result);
      failed += strncmp(result, "error", 5) == 0;
    }
    before = i == count / 10 ? resident() : before;
  }
  printf("grew %ld kB, %ld failed\n", resident() - before, failed);
  free(result);
  return failed == 0;
}

int main(int argc, char **argv) {
  static char line[2 * MOST_BYTES];
  while (line_count < MOST_LINES && fgets(line, sizeof line, stdin) != NULL) {
    lines[line_count++] = strdup(line);
  }
  int good = 1;
  if (argc == 3 && strcmp(argv[1], "repeat") == 0) {
    good = run_repeatedly(atol(argv[2]));
  } else {
    run_threads(argc == 3 && strcmp(argv[1], "threads") == 0 ? (size_t)atoi(argv[2]) : 1);
    for (size_t i = 0; i < line_count; i++) {
      puts(results[i]);
    }
    if (argc == 3 && strcmp(argv[1], "fork") == 0) {
      (void)fflush(stdout);
      good = run_children(atoi(argv[2]));
    }
  }
  for (size_t i = 0; i < line_count; i++) {
    free(lines[i]);
    free(results[i]);
  }
  return good ? 0 : 1;
}
