# Generated from pointmill/serve/pointmill.proto by `scripts/gen_proto.py`. Do not edit.
# SPDX-License-Identifier: Apache-2.0
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Jobs(_message.Message):
    __slots__ = ("jobs",)
    JOBS_FIELD_NUMBER: _ClassVar[int]
    jobs: _containers.RepeatedCompositeFieldContainer[Job]
    def __init__(self, jobs: _Optional[_Iterable[_Union[Job, _Mapping]]] = ...) -> None: ...

class Job(_message.Message):
    __slots__ = ("id", "ed25519", "ecdsa", "sm2", "x25519", "ecdh")
    ID_FIELD_NUMBER: _ClassVar[int]
    ED25519_FIELD_NUMBER: _ClassVar[int]
    ECDSA_FIELD_NUMBER: _ClassVar[int]
    SM2_FIELD_NUMBER: _ClassVar[int]
    X25519_FIELD_NUMBER: _ClassVar[int]
    ECDH_FIELD_NUMBER: _ClassVar[int]
    id: int
    ed25519: Ed25519
    ecdsa: Ecdsa
    sm2: Sm2
    x25519: X25519
    ecdh: Ecdh
    def __init__(self, id: _Optional[int] = ..., ed25519: _Optional[_Union[Ed25519, _Mapping]] = ..., ecdsa: _Optional[_Union[Ecdsa, _Mapping]] = ..., sm2: _Optional[_Union[Sm2, _Mapping]] = ..., x25519: _Optional[_Union[X25519, _Mapping]] = ..., ecdh: _Optional[_Union[Ecdh, _Mapping]] = ...) -> None: ...

class Ed25519(_message.Message):
    __slots__ = ("public_key", "message", "signature", "rule")
    PUBLIC_KEY_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    public_key: bytes
    message: bytes
    signature: bytes
    rule: str
    def __init__(self, public_key: _Optional[bytes] = ..., message: _Optional[bytes] = ..., signature: _Optional[bytes] = ..., rule: _Optional[str] = ...) -> None: ...

class Ecdsa(_message.Message):
    __slots__ = ("curve", "digest", "qx", "qy", "r", "s")
    CURVE_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    QX_FIELD_NUMBER: _ClassVar[int]
    QY_FIELD_NUMBER: _ClassVar[int]
    R_FIELD_NUMBER: _ClassVar[int]
    S_FIELD_NUMBER: _ClassVar[int]
    curve: str
    digest: bytes
    qx: bytes
    qy: bytes
    r: bytes
    s: bytes
    def __init__(self, curve: _Optional[str] = ..., digest: _Optional[bytes] = ..., qx: _Optional[bytes] = ..., qy: _Optional[bytes] = ..., r: _Optional[bytes] = ..., s: _Optional[bytes] = ...) -> None: ...

class Sm2(_message.Message):
    __slots__ = ("curve", "e", "qx", "qy", "r", "s")
    CURVE_FIELD_NUMBER: _ClassVar[int]
    E_FIELD_NUMBER: _ClassVar[int]
    QX_FIELD_NUMBER: _ClassVar[int]
    QY_FIELD_NUMBER: _ClassVar[int]
    R_FIELD_NUMBER: _ClassVar[int]
    S_FIELD_NUMBER: _ClassVar[int]
    curve: str
    e: bytes
    qx: bytes
    qy: bytes
    r: bytes
    s: bytes
    def __init__(self, curve: _Optional[str] = ..., e: _Optional[bytes] = ..., qx: _Optional[bytes] = ..., qy: _Optional[bytes] = ..., r: _Optional[bytes] = ..., s: _Optional[bytes] = ...) -> None: ...

class X25519(_message.Message):
    __slots__ = ("k", "u")
    K_FIELD_NUMBER: _ClassVar[int]
    U_FIELD_NUMBER: _ClassVar[int]
    k: bytes
    u: bytes
    def __init__(self, k: _Optional[bytes] = ..., u: _Optional[bytes] = ...) -> None: ...

class Ecdh(_message.Message):
    __slots__ = ("curve", "d", "qx", "qy")
    CURVE_FIELD_NUMBER: _ClassVar[int]
    D_FIELD_NUMBER: _ClassVar[int]
    QX_FIELD_NUMBER: _ClassVar[int]
    QY_FIELD_NUMBER: _ClassVar[int]
    curve: str
    d: bytes
    qx: bytes
    qy: bytes
    def __init__(self, curve: _Optional[str] = ..., d: _Optional[bytes] = ..., qx: _Optional[bytes] = ..., qy: _Optional[bytes] = ...) -> None: ...

class Verdicts(_message.Message):
    __slots__ = ("verdicts", "device")
    VERDICTS_FIELD_NUMBER: _ClassVar[int]
    DEVICE_FIELD_NUMBER: _ClassVar[int]
    verdicts: _containers.RepeatedCompositeFieldContainer[Verdict]
    device: str
    def __init__(self, verdicts: _Optional[_Iterable[_Union[Verdict, _Mapping]]] = ..., device: _Optional[str] = ...) -> None: ...

class Verdict(_message.Message):
    __slots__ = ("id", "valid", "reason", "rule", "cycles", "error", "shared", "all_zero")
    ID_FIELD_NUMBER: _ClassVar[int]
    VALID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    CYCLES_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    SHARED_FIELD_NUMBER: _ClassVar[int]
    ALL_ZERO_FIELD_NUMBER: _ClassVar[int]
    id: int
    valid: bool
    reason: str
    rule: str
    cycles: int
    error: str
    shared: bytes
    all_zero: bool
    def __init__(self, id: _Optional[int] = ..., valid: _Optional[bool] = ..., reason: _Optional[str] = ..., rule: _Optional[str] = ..., cycles: _Optional[int] = ..., error: _Optional[str] = ..., shared: _Optional[bytes] = ..., all_zero: _Optional[bool] = ...) -> None: ...
