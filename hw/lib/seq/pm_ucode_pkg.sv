// Generated from hw/lib/seq/isa.yaml by `python -m pointmill.gen`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// The microinstruction, see docs/isa.md.
package pm_ucode_pkg;

  localparam int unsigned WordBits = 86;
  localparam int unsigned RegisterBits = 5;
  localparam int unsigned ConditionBits = 5;
  localparam int unsigned ArgBits = 10;
  localparam int unsigned DelayBits = 4;

  // Control operations
  typedef enum logic [3:0] {
    CtlNext = 4'd0,  // go on with the next microinstruction
    CtlBranch = 4'd1,  // go to arg if the condition holds
    CtlLoopSet = 4'd2,  // set the loop counter to arg
    CtlLoopEnd = 4'd3,  // count down; go to arg while the counter is not zero
    CtlWait = 4'd4,  // stay on this microinstruction until the condition holds
    CtlStart = 4'd5,  // start side unit arg (its operand, if any, is the first factor)
    CtlDispatch = 4'd6,  // go to the program of the digit scan's next operation, and step it
    CtlFinish = 4'd7  // end the job with reason arg if the condition holds
  } ctl_op_e;

  // Register banks
  typedef enum logic [1:0] {
    BankMul  = 2'd0,  // results of the multiplier
    BankSum  = 2'd1,  // sums of the butterfly
    BankDiff = 2'd2,  // differences of the butterfly
    BankExt  = 2'd3   // the external value selected by the field ext
  } bank_e;

  // A read port: register of a bank, its number XOR-ed with the digit's index if indexed
  typedef struct packed {
    logic indexed;
    bank_e bank;
    logic [4:0] number;
  } port_t;

  // The word
  typedef struct packed {
    logic [3:0] delay;  // cycles until the next microinstruction of this context, less one
    ctl_op_e ctl_op;  // control operation
    logic [4:0] ctl_cond;  // condition of branch, wait and finish
    logic ctl_inv;  // take the condition inverted
    logic [9:0] ctl_arg;  // branch target, loop count, unit or reason
    logic [3:0] ext;  // external value that ports of bank ext read
    logic mul_en;  // start a product
    logic mul_canon;  // reduce it to [0, p) and push its zero and odd flags
    logic [1:0] mul_a;  // first factor: 0 port a, 1 sum, 2 difference of this cycle's butterfly
    logic [1:0] mul_b;  // second factor: 0 port b, 1 sum, 2 difference, 3 by sign: sum or difference
    logic [4:0] mul_rd;  // destination in bank mul
    port_t ra;  // read port a: {indexed, bank, register}
    port_t rb;  // read port b
    port_t rx;  // read port x of the butterfly
    port_t ry;  // read port y of the butterfly
    logic x2;  // butterfly takes 2x
    logic y2;  // butterfly takes 2y
    logic sum_we;  // store the sum
    logic scaled;  // what is stored as sum is a constant times the difference
    logic [4:0] sum_rd;  // destination in bank sum
    logic diff_we;  // store the difference
    logic [4:0] diff_rd;  // destination in bank diff
  } word_t;

  // Whether control flow behind this operation may depend on data; public_condition: its condition does not.
  function automatic logic depends_on_data(ctl_op_e op, logic public_condition);
    unique case (op)
      CtlDispatch: return 1'b1;
      CtlBranch, CtlWait, CtlFinish: return !public_condition;
      default: return 1'b0;
    endcase
  endfunction

endpackage
