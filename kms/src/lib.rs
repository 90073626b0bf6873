// SPDX-License-Identifier: Apache-2.0
//! KMS of a content fabric.
