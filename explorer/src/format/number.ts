// SPDX-License-Identifier: Apache-2.0
/** Numbers, amounts and sizes. */

const grouped = new Intl.NumberFormat('en');

export function number(value: number | bigint): string {
	return grouped.format(value);
}

/** Returns true if the text is a whole number. */
const isDigits = (text: string) => /^\d+$/.test(text);

/** Returns a count with its noun: `1 row`, `2 rows`. */
export function count(value: number | bigint, one: string, many = `${one}s`): string {
	return `${number(value)} ${BigInt(value) === 1n ? one : many}`;
}

export interface AmountParts {
	whole: string;
	/** The fraction with its dot, or nothing. */
	fraction: string;
	/** True if digits of the fraction are left out. */
	cut: boolean;
}

/** Digits of the fraction of an amount that are shown. The rest is in its title. */
const SHOWN_DIGITS = 4;

/** Splits an amount in the smallest unit. Text that is not a number is returned as it is. */
export function amountParts(amount: string, decimals: number, digits = SHOWN_DIGITS): AmountParts {
	if (!isDigits(amount)) return { whole: amount, fraction: '', cut: false };
	const padded = amount.padStart(decimals + 1, '0');
	const whole = number(BigInt(padded.slice(0, padded.length - decimals)));
	const full = padded.slice(padded.length - decimals).replace(/0+$/, '');
	const kept = full.slice(0, digits).replace(/0+$/, '');
	return { whole, fraction: kept && `.${kept}`, cut: full.length > digits };
}

/** Returns an amount with all its digits and the token: `100,000.25 UNIT`. */
export function fullAmount(amount: string, decimals: number, token: string): string {
	const { whole, fraction } = amountParts(amount, decimals, decimals);
	return `${whole}${fraction} ${token}`;
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

/** Returns a number of bytes with two significant digits at least: `1.4 MiB`. */
export function size(bytes: string | null): string {
	if (bytes === null) return 'size not known';
	let value = Number(bytes);
	let unit = 0;
	while (value >= 1024 && unit < UNITS.length - 1) {
		value /= 1024;
		unit++;
	}
	if (unit === 0) return exactSize(bytes);
	return `${value < 10 ? value.toFixed(1) : grouped.format(Math.round(value))} ${UNITS[unit]}`;
}

/** Returns a number of bytes with all its digits. Text that is not a number is returned as it is. */
export function exactSize(bytes: string): string {
	return isDigits(bytes) ? count(BigInt(bytes), 'byte') : bytes;
}

/** Returns a part of a whole in percent, rounded down, so that 100% means all. */
export function percent(part: number, whole: number): string {
	return `${whole === 0 ? 100 : Math.floor((part / whole) * 100)}%`;
}
