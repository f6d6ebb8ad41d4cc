use super::{Acyclic, Checker};

#[test]
fn only_what_follows_is_derived() {
    let mut checker = Checker::default();
    checker.add(1, &[1, 2]);
    checker.add(2, &[-1, 3]);
    checker.add(3, &[-2, 3]);
    assert!(checker.derive(4, &[3], &[1]).is_err());
    assert!(checker.derive(4, &[3], &[2, 3]).is_err());
    checker.derive(4, &[3], &[2, 3, 1]).unwrap();
    assert!(checker.derive(5, &[], &[1, 2, 3, 4]).is_err());
    checker.delete(4);
    assert!(checker.derive(5, &[3, 4], &[4]).is_err(), "it is gone");
    // What failed leaves nothing behind.
    checker.derive(5, &[3, 4], &[2, 3, 1]).unwrap();
}

#[test]
fn a_clause_comes_back_as_it_was() {
    let mut checker = Checker::default();
    checker.add(1, &[1, 2]);
    checker.put_aside(1);
    checker.delete(1);
    assert!(checker.restore(1, &[1]).is_err());
    assert!(checker.restore(2, &[1, 2]).is_err());
    checker.restore(1, &[2, 1]).unwrap();
}

#[test]
fn lemmas_are_circles() {
    let mut order = Acyclic::new(6);
    order.always(1, 2);
    order.always(3, 0);
    order.when(7, 0, 1);
    order.when(8, 2, 3);
    order.when(9, 3, 2);
    order.when(-9, 2, 3);
    assert!(order.implies(&[-7, -8]));
    assert!(order.implies(&[-7, 9]), "not 9 brings an edge as well");
    assert!(order.implies(&[-7, -8, 5]));
    assert!(!order.implies(&[-7]));
    assert!(!order.implies(&[7, 8]));
    assert!(order.implies(&[-9, -8]), "there and back");
    assert!(!order.implies(&[]));
}
