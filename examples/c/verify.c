/* SPDX-License-Identifier: Apache-2.0 */
#include <pointmill.h>
#include <stdio.h>

int main(void) { /* test 1 of RFC 8032, whose message is empty: public key and signature; then with another message */
  const char *hex = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511ae5564300c360ac729086e2cc806e828a"
                    "84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b";
  uint8_t bytes[96];
  for (int i = 0; i < 96; i++) sscanf(hex + 2 * i, "%2hhx", &bytes[i]);
  pm_job job = {.rule = PM_RULE_REF10_BYTES, .pk = bytes, .pk_len = 32, .sig = bytes + 32, .sig_len = 64};
  pm_job jobs[2] = {job, job};
  jobs[1].msg = (const uint8_t *)"forged";
  jobs[1].msg_len = 6;
  pm_device *device;
  if (pm_open("sim", "throughput", &device) != PM_OK) {
    fprintf(stderr, "%s\n", pm_open_detail());
    return 2;
  }
  pm_result results[2];
  pm_error error = pm_verify_batch(device, jobs, 2, results);
  for (int i = 0; i < 2; i++) printf("%s\n", results[i].valid ? "valid" : "not valid");
  pm_close(device);
  return error != PM_OK;
}
