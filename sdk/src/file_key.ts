// SPDX-License-Identifier: Apache-2.0
/** Stanzas of the headers of age files: wrapped file keys, and their form in JSON. */

import { chacha20poly1305 } from '@noble/ciphers/chacha.js';
import { x25519 } from '@noble/curves/ed25519.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concat, utf8 } from './ids/bytes.ts';
import { formatKmsKey } from './ids/kms_key.ts';

/** The type of the stanzas that a KMS unwraps, and wraps. */
export const X25519 = 'X25519';
/** Number of bytes of a key and of a share. */
const KEY_LENGTH = 32;
/** Number of bytes of a wrapped file key: 16 of the key, and 16 that authenticate it. */
const WRAPPED_LENGTH = 32;

/** A stanza. */
export interface Wrapped {
	/** Its type and its arguments. */
	args: string[];
	/** The wrapped key. */
	body: Uint8Array;
}

/** Returns the base64 of bytes, without padding. */
export const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes)).replace(/=+$/, '');

/** Returns the bytes of base64 without padding. `undefined` if the text is none. */
export function fromBase64(text: string): Uint8Array | undefined {
	if (!/^[A-Za-z0-9+/]*$/.test(text) || text.length % 4 === 1) return undefined;
	return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/**
 * A key pair for which a KMS wraps file keys, and for nothing else. The secret stays in memory. It
 * needs no WebCrypto, which pages of `http://` lack.
 */
export class OneTimeKey {
	readonly #secret = x25519.utils.randomSecretKey();
	readonly #public = x25519.getPublicKey(this.#secret);
	/** The recipient, `age1…`. */
	readonly recipient = formatKmsKey(this.#public);

	/** Returns the file key of a stanza of type `X25519`. `undefined` if it is for another key. */
	unwrap({ args: [type, share = '', ...others], body }: Wrapped): Uint8Array | undefined {
		const point = fromBase64(share);
		if (type !== X25519 || point?.length !== KEY_LENGTH || others.length > 0 || body.length !== WRAPPED_LENGTH) return undefined;
		try {
			const shared = x25519.getSharedSecret(this.#secret, point);
			const key = hkdf(sha256, shared, concat(point, this.#public), utf8('age-encryption.org/v1/X25519'), KEY_LENGTH);
			// Each key is used once.
			return chacha20poly1305(key, new Uint8Array(12)).decrypt(body);
		} catch {
			// A share of low order, or a body for another key.
			return undefined;
		}
	}
}
