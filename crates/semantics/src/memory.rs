//! The contents of memory.

use crate::layout::Layout;
use expr::ObjId;

/// An access that hits no live object, runs over the end of one, or writes a constant one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault;

/// A stack or heap object that is alive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Instance {
    /// Its address.
    pub base: u64,
    /// Its size in bytes.
    pub size: u64,
    /// Of which object of the program it is an instance.
    pub obj: ObjId,
    /// Where its bytes start in [`Memory::bytes`].
    at: usize,
}

impl Instance {
    /// An instance whose bytes start at `at`.
    pub fn new(base: u64, size: u64, obj: ObjId, at: usize) -> Instance {
        Instance {
            base,
            size,
            obj,
            at,
        }
    }

    /// Bytes that it occupies in [`Memory::bytes`]: its contents, then one bit for each byte that
    /// is undefined.
    pub fn footprint(&self) -> usize {
        (self.size + self.size.div_ceil(8)) as usize
    }
}

/// All bytes of a program. Undefined bytes are kept as zero, so that equal memories compare equal.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub struct Memory {
    /// Contents of the static objects, one after the other.
    pub(crate) statics: Vec<u8>,
    /// Stack and heap objects by address.
    pub(crate) instances: Vec<Instance>,
    /// Their contents, in the same order.
    pub(crate) bytes: Vec<u8>,
    /// Places of freed heap objects that a new one may take, by address.
    pub(crate) vacant: Vec<Vacancy>,
}

/// The place of a heap object that was freed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Vacancy {
    /// Its address.
    pub base: u64,
    /// How many bytes there is room for.
    pub room: u64,
}

impl Clone for Memory {
    fn clone(&self) -> Memory {
        Memory {
            statics: self.statics.clone(),
            instances: self.instances.clone(),
            bytes: self.bytes.clone(),
            vacant: self.vacant.clone(),
        }
    }

    // Explorers copy into the same scratch state millions of times: keep its buffers.
    fn clone_from(&mut self, from: &Memory) {
        self.statics.clone_from(&from.statics);
        self.instances.clone_from(&from.instances);
        self.bytes.clone_from(&from.bytes);
        self.vacant.clone_from(&from.vacant);
    }
}

/// Where an access goes.
enum Spot {
    Static {
        data: usize,
        writable: bool,
    },
    Dynamic {
        data: usize,
        undefined: usize,
        offset: u64,
    },
}

/// What a load finds: the bytes, and which of them are defined (as a mask of bits).
pub(crate) struct Loaded {
    pub bits: u64,
    pub defined: u64,
}

impl Memory {
    /// Contents of the static objects, one after the other.
    pub fn statics(&self) -> &[u8] {
        &self.statics
    }

    /// Stack and heap objects that are alive, by address.
    pub fn instances(&self) -> &[Instance] {
        &self.instances
    }

    /// Contents of these objects, each followed by its mask of undefined bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes of one of these objects.
    pub fn contents(&self, instance: &Instance) -> &[u8] {
        &self.bytes[instance.at..instance.at + instance.size as usize]
    }

    /// Places of freed heap objects that a new one may take, by address.
    pub fn vacant(&self) -> &[Vacancy] {
        &self.vacant
    }

    /// Replaces the places that a new heap object may take; they are sorted.
    pub fn set_vacant(&mut self, vacant: impl IntoIterator<Item = Vacancy>) {
        self.vacant.clear();
        self.vacant.extend(vacant);
    }

    /// Notes that a new heap object may take this place.
    pub(crate) fn vacate(&mut self, place: Vacancy) {
        if let Err(at) = self.vacant.binary_search(&place) {
            self.vacant.insert(at, place);
        }
    }

    /// Replaces everything but the vacant places: the contents of static objects, the list of
    /// instances by address, and their bytes in the same order.
    pub fn rebuild(&mut self, fill: impl FnOnce(&mut Vec<u8>, &mut Vec<Instance>, &mut Vec<u8>)) {
        fill(&mut self.statics, &mut self.instances, &mut self.bytes);
    }

    /// The live stack or heap object that contains an address.
    pub fn instance_at(&self, addr: u64) -> Option<&Instance> {
        let after = self
            .instances
            .partition_point(|instance| instance.base <= addr);
        let instance = &self.instances[after.checked_sub(1)?];
        (addr - instance.base < instance.size || addr == instance.base).then_some(instance)
    }

    /// The start and the end of the object that contains an address or ends there.
    pub(crate) fn object_up_to(&self, layout: &Layout, addr: u64) -> Option<(u64, u64)> {
        let after = layout.statics.partition_point(|range| range.base <= addr);
        let fixed = after.checked_sub(1).map(|at| &layout.statics[at]);
        let fixed = fixed.filter(|range| addr - range.base <= range.size);
        let after = self.instances.partition_point(|it| it.base <= addr);
        let made = after.checked_sub(1).map(|at| &self.instances[at]);
        let made = made.filter(|it| addr - it.base <= it.size);
        let fixed = fixed.map(|range| (range.base, range.size));
        let found = fixed.or(made.map(|it| (it.base, it.size)));
        found.map(|(base, size)| (base, base + size))
    }

    fn locate(&self, layout: &Layout, addr: u64, len: u64) -> Result<Spot, Fault> {
        let after = layout.statics.partition_point(|range| range.base <= addr);
        if let Some(range) = after.checked_sub(1).map(|at| &layout.statics[at]) {
            let offset = addr - range.base;
            if offset < range.size {
                let fits = len <= range.size - offset;
                return if fits {
                    Ok(Spot::Static {
                        data: range.at + offset as usize,
                        writable: range.writable,
                    })
                } else {
                    Err(Fault)
                };
            }
        }
        let instance = self.instance_at(addr).ok_or(Fault)?;
        let offset = addr - instance.base;
        if len > instance.size - offset {
            return Err(Fault);
        }
        Ok(Spot::Dynamic {
            data: instance.at + offset as usize,
            undefined: instance.at + instance.size as usize,
            offset,
        })
    }

    /// Is every byte of this range inside one live object?
    pub(crate) fn is_valid(&self, layout: &Layout, addr: u64, len: u64) -> bool {
        self.locate(layout, addr, len).is_ok()
    }

    /// Reads up to eight bytes, the lowest address in the lowest bits.
    pub(crate) fn load(&self, layout: &Layout, addr: u64, len: u64) -> Result<Loaded, Fault> {
        match self.locate(layout, addr, len)? {
            Spot::Static { data, .. } => Ok(Loaded {
                bits: read(&self.statics, data, len),
                defined: u64::MAX,
            }),
            Spot::Dynamic {
                data,
                undefined,
                offset,
            } => {
                let mut defined = u64::MAX;
                for byte in 0..len {
                    let bit = offset + byte;
                    if self.bytes[undefined + (bit / 8) as usize] >> (bit % 8) & 1 != 0 {
                        defined &= !(0xff << (8 * byte));
                    }
                }
                Ok(Loaded {
                    bits: read(&self.bytes, data, len),
                    defined,
                })
            }
        }
    }

    /// Puts an initial value into the static objects, the constant ones too.
    pub(crate) fn initialise(&mut self, at: usize, len: u64, bits: u64) {
        write(&mut self.statics, at, len, bits);
    }

    /// Writes up to eight bytes, which must not be constant.
    pub(crate) fn store(
        &mut self,
        layout: &Layout,
        addr: u64,
        len: u64,
        bits: u64,
    ) -> Result<(), Fault> {
        match self.locate(layout, addr, len)? {
            Spot::Static {
                writable: false, ..
            } => return Err(Fault),
            Spot::Static { data, .. } => write(&mut self.statics, data, len, bits),
            Spot::Dynamic {
                data,
                undefined,
                offset,
            } => {
                write(&mut self.bytes, data, len, bits);
                for bit in offset..offset + len {
                    self.bytes[undefined + (bit / 8) as usize] &= !(1 << (bit % 8));
                }
            }
        }
        Ok(())
    }

    /// Puts back what a store has overwritten, and which of it was defined.
    pub(crate) fn put_back(
        &mut self,
        layout: &Layout,
        addr: u64,
        len: u64,
        bits: u64,
        defined: u64,
    ) {
        let stored = self.store(layout, addr, len, bits);
        stored.expect("it was stored to before");
        let Ok(Spot::Dynamic {
            undefined, offset, ..
        }) = self.locate(layout, addr, len)
        else {
            return;
        };
        for byte in (0..len).filter(|byte| defined >> (8 * byte) & 1 == 0) {
            let bit = offset + byte;
            self.bytes[undefined + (bit / 8) as usize] |= 1 << (bit % 8);
        }
    }

    /// Brings an object to life; one that is already at this address is replaced.
    pub(crate) fn allocate(&mut self, base: u64, size: u64, obj: ObjId, zeroed: bool) {
        self.release(base);
        let index = self
            .instances
            .partition_point(|instance| instance.base < base);
        let at = self
            .instances
            .get(index)
            .map_or(self.bytes.len(), |next| next.at);
        let instance = Instance {
            base,
            size,
            obj,
            at,
        };
        let fresh = instance.footprint();
        for later in &mut self.instances[index..] {
            later.at += fresh;
        }
        self.instances.insert(index, instance);
        let undefined = if zeroed { 0 } else { 0xff };
        let contents = std::iter::repeat_n(0, size as usize)
            .chain(std::iter::repeat_n(undefined, fresh - size as usize));
        self.bytes.splice(at..at, contents);
        // Bits behind the last byte stay clear: they would only make equal memories differ.
        if !zeroed && !size.is_multiple_of(8) {
            self.bytes[at + fresh - 1] = 0xff >> (8 - size % 8);
        }
    }

    /// Ends the life of the object that starts at this address, if there is one.
    pub(crate) fn release(&mut self, base: u64) -> Option<Instance> {
        let index = self
            .instances
            .binary_search_by_key(&base, |instance| instance.base)
            .ok()?;
        let gone = self.instances.remove(index);
        let freed = gone.footprint();
        self.bytes.drain(gone.at..gone.at + freed);
        for later in &mut self.instances[index..] {
            later.at -= freed;
        }
        Some(gone)
    }

    /// Ends the life of all objects that start in a range of addresses.
    pub(crate) fn release_range(&mut self, range: std::ops::Range<u64>) {
        while let Some(base) = self
            .instances
            .get(
                self.instances
                    .partition_point(|instance| instance.base < range.start),
            )
            .map(|instance| instance.base)
            .filter(|&base| base < range.end)
        {
            self.release(base);
        }
    }
}

fn read(bytes: &[u8], at: usize, len: u64) -> u64 {
    let mut word = [0; 8];
    word[..len as usize].copy_from_slice(&bytes[at..at + len as usize]);
    u64::from_le_bytes(word)
}

fn write(bytes: &mut [u8], at: usize, len: u64, bits: u64) {
    bytes[at..at + len as usize].copy_from_slice(&bits.to_le_bytes()[..len as usize]);
}
