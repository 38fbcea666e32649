# SPDX-License-Identifier: Apache-2.0
"""What can be swept: modules with PARAMETERS, name to meaning, and MEASURES, name to `measure.task.Measure`."""
