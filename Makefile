# SPDX-License-Identifier: Apache-2.0
# Every target first runs the bootstrap at the level that it needs, which returns at once when .venv is up to date.

PY := .venv/bin/python
JOBS ?= 2
U ?=
TARGET ?= xc7
SEED ?=
M ?=
B ?= ulx3s_85f
PREFIX ?= /usr/local
DESTDIR ?=
DEVICES ?=
MEASURE := .venv/bin/pointmill measure
dot = $(if $(1),.$(1))
PYTEST := $(PY) -m pytest -n $(JOBS)

# Compiled Python may be kept: each of some hundred processes of a test run would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup setup-run setup-provider setup-serve setup-fleet setup-dev setup-soc demo provider test test-long soak bench measure mutate report wheel docs lint gen check-gen waves syn pnr asic formal equivalence faults board board-sim vivado soc soc-long install clean distclean sbom lock verify-release
.DEFAULT_GOAL := help

help:
	@echo 'make setup            set up for all targets but the tests and those of the system on a chip'
	@echo 'make demo             set up, then verify signatures on the simulated core'
	@echo 'make provider         build/provider: the OpenSSL provider and a configuration (docs/openssl.md)'
	@echo 'make test             lint, generated files, every test that is not long'
	@echo 'make test-long        the same with the long tests'
	@echo 'make soak             PM_SOAK_JOBS (default 100000) random jobs, with resets and pauses'
	@echo 'make measure [M=<name>]  the records that are missing or stale (hours; goes on where it was broken off)'
	@echo 'make mutate           share of small changes of RTL, driver and Python that the tests find (docs/mutation.md)'
	@echo 'make report           build/report/index.html from the committed records'
	@echo 'make bench            cycles and rates of the simulated cores, anew'
	@echo 'make wheel            dist/*.whl with simulated cores inside, for machines without compiler'
	@echo 'make verify-release WHEEL=<file>  builds the wheel again from its tag, and compares every byte'
	@echo 'make sbom             build/sbom.json: all Python packages, their versions, licences and hashes (CycloneDX)'
	@echo 'make lock [UPGRADE=<package>]  requirements/*.lock: versions and hashes of all packages that the set-up installs'
	@echo 'make docs             build/site/html: the documents, and the reference of Python and C'
	@echo 'make lint             Verilator -Wall, formatting, file lists, Python and its types, house rules'
	@echo 'make gen              write the generated files;  make check-gen  compares only'
	@echo 'make waves M=<module> waveforms of the benches of a module'
	@echo 'make syn [U=<unit>] [TARGET=xc7|ecp5|nexus]  resources (data/units.yaml), anew'
	@echo 'make pnr [U=<unit>] [SEED=<seed>]  place and route on an ECP5-85: clock and resources'
	@echo 'make asic [U=<unit>]  area and clock in the standard-cell libraries of PM_LIBERTY'
	@echo 'make formal [M=<module>]  proofs of small modules (docs/formal.md)'
	@echo 'make equivalence [M=<module>]  netlists against RTL (docs/formal.md)'
	@echo 'make faults           bits that flip in the cores: the record of docs/faults.md, anew'
	@echo 'make board B=<board>  build/board/<board>.bit and .json: bitstream by open tools (docs/boards.md)'
	@echo 'make board-sim B=<board>  its netlist after synthesis, driven over its serial line'
	@echo 'make vivado B=<board>  build/board/<board>: project for Vivado and device tree of a Zynq (docs/boards.md)'
	@echo 'make soc              boot the simulated system on a chip: self-test, ways to multiply a point'
	@echo 'make soc-long         the same with a scalar of 256 bits (minutes)'
	@echo 'make install [PREFIX=/usr/local] [DESTDIR=<dir>] [DEVICES="edverify-throughput ..."]'
	@echo '                      the C library, with these simulated cores'
	@echo 'make clean            remove build/;  make distclean  removes .venv too'

setup: setup-dev

setup-run setup-provider setup-serve setup-fleet setup-dev setup-soc: setup-%:
	@scripts/setup.sh $*

demo: setup-run
	@.venv/bin/pointmill demo

provider: setup-provider
	@$(PY) -m pointmill.provider

# The test run comes last, so that its own count is the last line.
test: setup-soc lint check-gen
	@$(PYTEST) $(PYTEST_ARGS)

test-long: setup-soc lint check-gen
	@$(PYTEST) --long $(PYTEST_ARGS)

soak: setup
	@$(PY) -m pytest -s --soak -m soak $(PYTEST_ARGS)

bench: setup
	@.venv/bin/pointmill bench

measure: setup
	@$(MEASURE) $(M)

mutate: setup
	@$(MEASURE) trust.mutation

report: setup
	@.venv/bin/pointmill report

wheel: setup
	@$(PY) scripts/build_wheel.py

verify-release: setup
	@test -n "$(WHEEL)" || { echo 'usage: make verify-release WHEEL=<file> [REVISION=<revision>]'; exit 2; }
	@$(PY) scripts/verify_release.py '$(WHEEL)' $(REVISION:%=--revision %)

sbom: setup
	@$(PY) scripts/sbom.py

lock: setup
	@$(PY) scripts/lock_requirements.py $(UPGRADE:%=--upgrade-package %)

docs: setup
	@$(PY) scripts/reference_site.py

lint: setup
	@$(PY) scripts/lint.py

gen: setup
	@$(PY) scripts/generate.py

check-gen: setup
	@$(PY) scripts/generate.py --check

waves: setup
	@test -n "$(M)" || { echo 'usage: make waves M=<module>, e.g. M=pm_mulmod'; exit 2; }
	@bench=$$(find dv -name 'test_$(M).py'); \
	  test -n "$$bench" || { echo "no bench dv/**/test_$(M).py"; exit 2; }; \
	  PM_WAVES=1 $(PY) -m pytest $$bench $(PYTEST_ARGS) && \
	  find build/cocotb -path '*test_$(M)*' -name 'dump.vcd'

syn: setup
	@$(MEASURE) --again syn.$(TARGET)$(call dot,$(U))

pnr: setup
	@$(MEASURE) --again pnr.ecp5$(call dot,$(U))$(call dot,$(SEED))

asic: setup
	@$(MEASURE) --again asic$(call dot,$(U))

formal: setup
	@$(PY) -m dv.formal.run $(M)

equivalence: setup
	@$(PY) -m dv.formal.netlists $(M)

vivado: setup
	@$(PY) -m boards.zynq $(B)

board-sim: setup
	@$(PY) -m boards.simulate $(B)

faults: setup
	@$(MEASURE) --again trust.faults

board: setup
	@$(PY) -m boards.build $(B) $(if $(SEED),--seed $(SEED))

soc: setup-soc
	@$(PY) -m soc.run

soc-long: setup-soc
	@$(PY) -m soc.run --long

# The C library alone needs no virtual environment.
install: $(if $(DEVICES),setup-run)
	@DESTDIR='$(DESTDIR)' scripts/install.sh '$(PREFIX)' $(DEVICES)

clean:
	rm -rf build dist .pytest_cache .hypothesis

distclean: clean
	rm -rf .venv
