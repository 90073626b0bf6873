// SPDX-License-Identifier: Apache-2.0
/** Times and durations. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Returns the distance of `time` from `now`: `3 min ago`, `in 2 h`. */
export function relative(time: number, now: number): string {
	const distance = Math.abs(now - time);
	if (distance < 5 * SECOND) return 'just now';
	const text = rough(distance);
	return time <= now ? `${text} ago` : `in ${text}`;
}

/** Returns a duration in its greatest unit: `12 s`, `3 min`, `5 h`, `8 days`. */
export function rough(duration: number): string {
	if (duration < MINUTE) return `${Math.max(1, Math.floor(duration / SECOND))} s`;
	if (duration < HOUR) return `${Math.floor(duration / MINUTE)} min`;
	if (duration < DAY) return `${Math.floor(duration / HOUR)} h`;
	const days = Math.floor(duration / DAY);
	if (days < 60) return days === 1 ? '1 day' : `${days} days`;
	if (days < 730) return `${Math.floor(days / 30.44)} months`;
	return `${Math.floor(days / 365.25)} years`;
}

/** Returns the time that is left, rounded up: `about 3 min`. */
export function left(duration: number): string {
	if (duration < MINUTE) return `about ${Math.max(1, Math.ceil(duration / SECOND))} s`;
	if (duration < 2 * HOUR) return `about ${Math.ceil(duration / MINUTE)} min`;
	if (duration < 2 * DAY) return `about ${Math.ceil(duration / HOUR)} h`;
	return `about ${Math.ceil(duration / DAY)} days`;
}

const local = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const localDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const localHour = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const localClock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

/** Times outside of this range are not valid dates. */
const valid = (time: number) => Number.isFinite(time) && Math.abs(time) <= 8.64e15;

export const absolute = (time: number) => (valid(time) ? local.format(time) : 'unknown');
export const day = (time: number) => (valid(time) ? localDay.format(time) : 'unknown');
export const hour = (time: number) => (valid(time) ? localHour.format(time) : 'unknown');
export const clock = (time: number) => (valid(time) ? localClock.format(time) : 'unknown');
export const iso = (time: number) => (valid(time) ? new Date(time).toISOString() : '');

/** Returns the time in UTC: `2025-11-22 22:13:05 UTC`. */
export const utc = (time: number) => iso(time).replace('T', ' ').replace(/\.\d+Z$/, ' UTC');
