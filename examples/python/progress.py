# SPDX-License-Identifier: Apache-2.0
"""Follows a batch by a callback, which may stop it; the device can be used afterwards."""

import pointmill


def report(done: int, total: int) -> None:
    print(done, "of", total)
    if done == 5:
        raise TimeoutError("enough")


with pointmill.open("edverify") as device:
    key = device.generate_key()
    job = (key.public_key, b"message", device.sign(key.seed, b"message").signature)
    try:
        device.verify_many([job] * 20, progress=report)
    except TimeoutError as error:
        print("stopped:", error)
    print("all valid:", all(device.verify_many([job] * 20)))
