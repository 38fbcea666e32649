// SPDX-License-Identifier: Apache-2.0
//
// Types of batch verification in `edverify`.

package pm_edverify_batch_pkg;

  // What a context does for a batch.
  typedef enum logic [1:0] {
    BatchNone    = 2'd0,  // nothing: its job is one of its own
    BatchPrepare = 2'd1,  // decompress a signature's points and make their tables
    BatchSum     = 2'd2   // sum a batch
  } batch_e;

  // Where an answer belongs.
  typedef struct packed {
    logic [31:0] tag;
    logic [7:0]  rule;
    logic [31:0] since;  // time of its header
  } header_t;

  // What a verification begins with.
  typedef struct packed {
    header_t      header;
    logic [255:0] s;
    logic [255:0] r;
    logic [255:0] a;
  } signature_t;

  // A signature of a batch.
  typedef struct packed {
    signature_t   signature;
    logic [511:0] digest;
  } record_t;

endpackage
