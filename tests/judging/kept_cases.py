"""Claims that leave out or put otherwise what does not matter, and stay supported.

Each sentence has its claim in the line below it. All of our own writing.
"""

from __future__ import annotations

TRUE = """
Visitors must sign the book at the front desk.
    Visitors must sign the book.
Visitors may use the network after they have signed the terms.
    Visitors may use the network after signing the terms.
Staff may park in the yard before 9 am.
    Before 9 am, staff may park in the yard.
Employees may take unpaid leave after two years of service.
    After two years of service, employees may take unpaid leave.
Staff in Berlin get 30 days of leave.
    Employees in Berlin get 30 days of leave.
Staff in Berlin get 30 days of leave.
    In Berlin, staff get 30 days of leave.
Employees who lose a laptop must pay 200 euros.
    An employee who loses a laptop must pay 200 euros.
Complaints are answered within ten working days.
    Complaints are answered in ten working days.
The notice period is 30 business days.
    The notice period is 30 working days.
Groups of more than 10 people must register.
    Groups of over 10 people must register.
Requests need the approval of the manager and the director.
    Requests need the approval of the director and the manager.
The former head of security approved the plan.
    The plan was approved by the former head of security.
Critics claim that the plant pollutes the river.
    According to critics, the plant pollutes the river.
Accidents must be reported to the safety officer within 24 hours.
    Accidents must be reported within 24 hours.
Accidents must be reported to the safety officer within 24 hours.
    Accidents must be reported to the safety officer.
The company was founded in Leeds in 1990 by two brothers.
    The company was founded in 1990.
The company was founded in Leeds in 1990 by two brothers.
    The company was founded in Leeds by two brothers.
Employees get 27 days of paid leave a year, and the days may be carried over until March.
    Employees get 27 days of paid leave a year.
All employees receive a laptop on their first day.
    All employees receive a laptop.
The canteen opens at 11:30 on weekdays.
    The canteen opens at 11:30 on weekdays.
Passwords must have at least 12 characters and be changed every 90 days.
    Passwords must have at least 12 characters.
Passwords must have at least 12 characters and be changed every 90 days.
    Passwords must be changed every 90 days.
The manager signs the form before it goes to payroll.
    The manager signs the form.
Mileage is paid at 0.30 euros per kilometre for private cars.
    Mileage for private cars is paid at 0.30 euros per kilometre.
Travel costs are reimbursed within three weeks of the claim.
    Travel costs are reimbursed within three weeks of the claim.
Employees may work from home two days a week with the agreement of their manager.
    With the agreement of their manager, employees may work from home two days a week.
Data is kept for seven years and then deleted.
    Data is kept for seven years.
Visitors must wear a badge in all buildings.
    Visitors must wear a badge.
The study enrolled 120 patients at three hospitals between 2015 and 2017.
    The study enrolled 120 patients.
The bridge was opened by the mayor in June 1932 after four years of work.
    The bridge was opened in June 1932.
The bridge was opened by the mayor in June 1932 after four years of work.
    The bridge was opened by the mayor.
In 2021 the team won the cup for the third time.
    The team won the cup in 2021.
The pump failed during the night because a seal had cracked.
    The pump failed during the night.
The pump failed during the night because a seal had cracked.
    The pump failed because a seal had cracked.
Gifts worth more than 50 euros must be declared to the compliance team.
    Gifts worth more than 50 euros must be declared.
Gifts worth more than 50 euros must be declared to the compliance team.
    Gifts over 50 euros must be declared to the compliance team.
The sensor reports the temperature every ten seconds over the network.
    The sensor reports the temperature every ten seconds.
Leave is requested in the portal at least two weeks ahead.
    Leave is requested in the portal.
Leave is requested in the portal at least two weeks ahead.
    Leave must be requested at least two weeks ahead.
Anyone who works with chemicals must wear gloves and goggles.
    Anyone who works with chemicals must wear gloves.
Managers must answer a request within five days, otherwise it counts as approved.
    Managers must answer a request within five days.
The warranty runs for two years from the date of delivery.
    The warranty runs for two years.
Staff must lock their screens when they leave their desks.
    Staff must lock their screens when leaving their desks.
Employees on parental leave keep their laptop.
    Employees on parental leave keep their laptops.
The library lends books for four weeks, and readers may renew them twice.
    The library lends books for four weeks.
Overtime must be approved in advance by the line manager.
    Overtime must be approved in advance.
Overtime must be approved in advance by the line manager.
    The line manager must approve overtime in advance.
The minister said on Monday that the tunnel would open in May.
    The minister said that the tunnel would open in May.
Dr Smith, who joined the clinic in 2010, leads the ward.
    Dr Smith leads the ward.
The head office, which is in Leeds, has 300 employees.
    The head office has 300 employees.
Employees are entitled to a bonus after the probation period.
    After the probation period, employees are entitled to a bonus.
The fee for the course is 250 euros, due before the first lesson.
    The fee for the course is 250 euros.
Meals during business trips are reimbursed.
    Meals on business trips are reimbursed.
Expenses for alcohol are not reimbursed.
    Alcohol is not reimbursed.
The deputy director signs the contracts.
    Contracts are signed by the deputy director.
The minimum age for drivers is 21 years.
    Drivers must be at least 21 years old.
Employees may bring dogs to the office on Fridays.
    On Fridays employees may bring dogs to the office.
The vaccine reduced infections by 60 percent in adults over 65.
    In adults over 65, the vaccine reduced infections by 60 percent.
Staff who travel by train may book first class on journeys of more than four hours.
    On journeys of more than four hours, staff who travel by train may book first class.
Receipts must be handed in by the fifth of the month.
    Receipts must be handed in by the fifth of the month.
The school has 400 pupils from 30 countries.
    The school has 400 pupils.
Keys are issued at the gate to staff with a valid card.
    Keys are issued to staff with a valid card.
You can reach the help desk by phone from 8 am to 6 pm.
    The help desk can be reached by phone from 8 am to 6 pm.
The lamp may be mounted on walls and ceilings with the screws supplied.
    The lamp may be mounted on walls and ceilings with the supplied screws.
Guards may open the safe in the presence of two witnesses.
    In the presence of two witnesses, guards may open the safe.
Residents may keep cats if the neighbours agree.
    Residents may keep cats if their neighbours agree.
The grant covers travel inside Europe.
    Travel inside Europe is covered by the grant.
The clinic was founded by Anna Weber in 1911 and moved to Bonn in 1950.
    The clinic was founded in 1911 by Anna Weber.
The clinic was founded by Anna Weber in 1911 and moved to Bonn in 1950.
    The clinic moved to Bonn in 1950.
Children up to the age of six travel free of charge.
    Children up to six years of age travel free of charge.
Tickets booked online cost 8 euros, tickets at the door 10 euros.
    Tickets booked online cost 8 euros.
Tickets booked online cost 8 euros, tickets at the door 10 euros.
    Tickets at the door cost 10 euros.
Employees hired after 2015 receive a company pension.
    Employees who were hired after 2015 receive a company pension.
The pool, which was built in 1974, closes at 10 pm.
    The pool closes at 10 pm.
All guests must leave their coats at the cloakroom on the ground floor.
    All guests must leave their coats at the cloakroom.
Each driver receives a card for fuel and tolls.
    Each driver receives a card for fuel.
The report describes three accidents in detail.
    The report describes three accidents.
The committee meets four times a year in the town hall.
    The committee meets four times a year.
Cleaning takes place every evening after 6 pm.
    Cleaning takes place every evening.
Employees must inform their manager by phone before the start of work.
    Employees must inform their manager before the start of work.
The data are stored on servers in Frankfurt and backed up daily.
    The data are stored on servers in Frankfurt.
The data are stored on servers in Frankfurt and backed up daily.
    The data are backed up daily.
Employees earn one day of leave for each month that they have worked.
    Employees earn one day of leave for each month worked.
The storm destroyed 40 houses on the coast in 1962.
    The storm destroyed 40 houses in 1962.
The storm destroyed 40 houses on the coast in 1962.
    In 1962, the storm destroyed 40 houses.
The village lies on the river Aar at a height of 300 metres.
    The village lies at a height of 300 metres.
The village lies on the river Aar at a height of 300 metres.
    The village lies on the river Aar.
The novel was written by Clara Beck during a long illness.
    The novel was written by Clara Beck.
The pump delivers 40 litres of water per minute at full speed.
    The pump delivers 40 litres of water per minute at full speed.
The device must be switched off before it is cleaned.
    Before it is cleaned, the device must be switched off.
The device must be switched off before cleaning.
    The device must be switched off before it is cleaned.
Staff may wear jeans on Fridays.
    On Fridays staff may wear jeans.
Staff may wear jeans on Fridays.
    Jeans may be worn by staff on Fridays.
Invoices are paid within 30 days of receipt by the finance team.
    The finance team pays invoices within 30 days of receipt.
The warehouse is heated from October to April.
    The warehouse is heated from October to April.
Members under 18 need the signature of a parent on the form.
    Members under 18 need a parent's signature.
The mayor said that the bridge would be repaired in 2027.
    The mayor said the bridge would be repaired in 2027.
The mayor claims the bridge is safe.
    The mayor claims that the bridge is safe.
The hotel had a swimming pool until 1999.
    Until 1999 the hotel had a swimming pool.
The city plans to build a new school in the north.
    The city plans to build a new school.
The results were published in Nature in 2011.
    The results were published in 2011.
Smith studied law at Oxford and became a judge in 1988.
    Smith became a judge in 1988.
Smith studied law at Oxford and became a judge in 1988.
    Smith studied law at Oxford.
The lift is inspected by an engineer every six months.
    The lift is inspected every six months.
Complaints are answered within ten working days by the service team.
    Complaints are answered within ten working days.
Employees can book a desk in the app.
    Employees can book a desk.
You can pay by card or in cash.
    You can pay in cash.
You can pay by card or in cash.
    You can pay by card.
Staff may use the gym and the pool.
    Staff may use the gym.
Staff may use the gym and the pool.
    Staff may use the pool.
The fee can be paid in two instalments, in May and in October.
    The fee can be paid in two instalments.
The garage, the cellar and the attic may be used for storage.
    The attic may be used for storage.
Trainees receive a certificate at the end of the course.
    At the end of the course, trainees receive a certificate.
We recommend that staff take a break every two hours.
    It is recommended that staff take a break every two hours.
The drug may cause headaches.
    Headaches may be caused by the drug.
The drug may cause headaches and nausea.
    The drug may cause nausea.
Deliveries are free, save for islands.
    Deliveries are free save for islands.
Every member has a vote, with the exception of trainees.
    With the exception of trainees, every member has a vote.
The price rose from 40 to 50 euros.
    The price rose to 50 euros.
The price rose from 40 to 50 euros.
    The price rose from 40 euros to 50 euros.
Two of the five pumps are broken.
    Two of five pumps are broken.
The third attempt succeeded.
    The third attempt was successful.
The pump stopped because the power failed.
    Because the power failed, the pump stopped.
The crash was caused by a faulty valve.
    A faulty valve caused the crash.
If the vote passes, the tax will rise.
    The tax will rise if the vote passes.
Red cables carry power, blue cables carry data.
    Blue cables carry data.
Paris is the seat of the bank and Rome the seat of the fund.
    Paris is the seat of the bank.
Smith chairs the board; Jones chairs the audit committee.
    Jones chairs the audit committee.
Smith chairs the board; Jones chairs the audit committee.
    The board is chaired by Smith.
Monday is for repairs, Tuesday for tests.
    Tuesday is for tests.
Rooms A and B have projectors, room C has a piano.
    Room C has a piano.
The old pump was replaced by a new one.
    A new pump replaced the old one.
More people chose tea than coffee.
    Tea was chosen by more people than coffee.
Children must be accompanied by an adult.
    An adult must accompany children.
Children must be accompanied by an adult.
    Children need to be accompanied by an adult.
The blue model is cheaper than the red model.
    The blue model is cheaper than the red one.
Managers should talk to each employee once a month.
    Managers should talk to each employee every month.
You can cancel the order within 14 days.
    The order can be cancelled within 14 days.
Employees may work from home up to two days a week.
    Employees are allowed to work from home up to two days a week.
Staff can book a desk in the app.
    A desk can be booked in the app.
The train leaves at 8:15 and arrives at 9:40.
    The train arrives at 9:40.
The firm sued the city over the contract.
    The city was sued by the firm over the contract.
All staff except directors get a bonus.
    All staff except directors receive a bonus.
Doctors prescribe the drug to adults and may prescribe it to children.
    Doctors prescribe the drug to adults.
Trainees may park in the yard and get a card at the gate.
    Trainees get a card at the gate.
The council was founded in 1997 by merging the districts of Clare and Burra.
    The council was founded in 1997 by merging the districts of Clare and Burra.
Sales fell by 5 percent in May and by 2 percent in June.
    Sales fell by 2 percent in June.
The fine rises to 100 euros after a month.
    After a month the fine rises to 100 euros.
The tenant pays the rent and cleans the stairs.
    The tenant cleans the stairs.
The annual general meeting takes place in Room 12 on 4 June.
    The annual general meeting takes place in Room 12 on 4 June.
The museum, which opened in 1974, has 12 galleries.
    The museum has 12 galleries.
The museum, which opened in 1974, has 12 galleries.
    The museum opened in 1974.
Standard rooms cost 80 euros, deluxe rooms 120 euros and suites 210 euros.
    Suites cost 210 euros.
Standard rooms cost 80 euros, deluxe rooms 120 euros and suites 210 euros.
    Deluxe rooms cost 120 euros.
Model X200 weighs 4.2 kg; model X200S weighs 4.8 kg.
    Model X200 weighs 4.2 kg.
Sick leave is paid for six weeks. Parental leave is paid for fourteen weeks.
    Parental leave is paid for fourteen weeks.
The school has a library, a gym and a pool.
    The school has a library and a gym.
The warranty covers the motor, the pump and the display.
    The warranty covers the pump.
Dr Hale, a cardiologist from Leeds, referred the patient to Dr Moreno.
    Dr Hale referred the patient to Dr Moreno.
Please note that the office is closed on Fridays.
    The office is closed on Fridays.
In addition, the tenant pays a deposit of 900 euros.
    The tenant pays a deposit of 900 euros.
As a rule of the house, smoking is forbidden in all rooms and on the balconies.
    Smoking is forbidden in all rooms.
The course starts on 3 March, lasts two weeks and costs 450 euros.
    The course costs 450 euros.
The course starts on 3 March, lasts two weeks and costs 450 euros.
    The course starts on 3 March and costs 450 euros.
Anna Berg, 44, was elected chair on Tuesday.
    Anna Berg was elected chair on Tuesday.
The city council approved the plan on Tuesday after a long debate.
    The city council approved the plan.
The device has a rechargeable lithium battery.
    The device has a rechargeable battery.
The report, published in May, lists 14 recommendations for hospitals.
    The report lists 14 recommendations.
Visitors must sign in at reception and wear a badge at all times.
    Visitors must wear a badge at all times.
Visitors must sign in at reception and wear a badge at all times.
    Visitors must sign in at reception.
The pump is fitted with a filter that has to be cleaned every month.
    The filter has to be cleaned every month.
The deposit is refunded in full, provided that the flat is returned clean.
    The deposit is refunded in full if the flat is returned clean.
Delivery is free so long as the order exceeds 50 euros.
    If the order exceeds 50 euros, delivery is free.
In the event of a total loss, the insurer pays the replacement value of the vehicle.
    The insurer pays the replacement value of the vehicle in the event of a total loss.
With the landlord's written consent, the tenant may sublet the premises.
    The tenant may sublet the premises with the landlord's written consent.
Passengers are entitled to compensation of 250 euros when the delay exceeds three hours.
    When the delay exceeds three hours, passengers are entitled to compensation of 250 euros.
Unless the tenant objects within 14 days, the rent rises by 2 percent.
    The rent rises by 2 percent unless the tenant objects within 14 days.
The warranty remains valid for five years if the boiler is serviced annually.
    The warranty is valid for five years if the boiler is serviced annually.
Other than emergencies, all treatments require prior authorisation.
    All treatments other than emergencies require prior authorisation.
Once the trial period has ended, subscribers can cancel at any time with 14 days' notice.
    Subscribers can cancel at any time with 14 days' notice once the trial period has ended.
Subject to approval by the line manager, staff can work from abroad for up to 30 days a year.
    Staff can work from abroad for up to 30 days a year, subject to approval by the line manager.
The tenant pays the landlord a deposit of 900 euros.
    A deposit of 900 euros is paid to the landlord by the tenant.
Norwell acquired Tarbeck in 2018.
    Tarbeck was acquired by Norwell in 2018.
The audit was carried out by the finance department.
    The finance department carried out the audit.
Hansen was succeeded by Friis as chair.
    Friis succeeded Hansen as chair.
The union accused the employer of delaying the talks.
    The employer was accused by the union of delaying the talks.
Anna lent the laptop to Peter.
    Anna lent Peter the laptop.
Data is copied from the primary server to the backup server every night.
    Every night, data is copied from the primary server to the backup server.
The chairman of the club is Omar Haddad.
    Omar Haddad is the chairman of the club.
The bridge was built by Roman soldiers.
    Roman soldiers built the bridge.
The fine is 500 dollars.
    The fine is $500.
The loan was 2.5 million pounds.
    The loan was £2,500,000.
Applications close on 20 June 2024.
    Applications close on June 20, 2024.
About 15% of patients report headaches.
    About 15 percent of patients report headaches.
The hall seats 1200 people.
    The hall seats 1,200 people.
Three of the five members voted in favour.
    3 of the 5 members voted in favour.
The trial lasted six weeks.
    The trial lasted 6 weeks.
The council rejected the proposal.
    The proposal was rejected by the council.
The device must not be immersed in water.
    Do not immerse the device in water.
The factory, located in Graz, makes brake discs.
    The factory in Graz makes brake discs.
Store below 25 degrees Celsius.
    The product should be stored below 25 degrees Celsius.
Claims must be filed within 30 days of the accident.
    You must file claims within 30 days of the accident.
The meeting was moved from Tuesday to Friday.
    The meeting was moved to Friday.
The clinic will be closed on 24 December.
    On 24 December the clinic will be closed.
The device can be used by children aged 8 and over.
    Children aged 8 and over can use the device.
Both the seller and the agent are liable for delays.
    The agent is liable for delays.
Tea, coffee and water are available free of charge in the canteen.
    Coffee is available free of charge in the canteen.
Critics say the law harms small farms.
    According to critics, the law harms small farms.
The mayor denied that the contract had been signed.
    The mayor denied that the contract had been signed.
The North Bridge was built in 1931. It was widened in 1980.
    The North Bridge was widened in 1980.
The clinic opened in 1999. It has 40 beds.
    The clinic opened in 1999 and has 40 beds.
The company plans to open 20 stores in Spain.
    The company is planning to open 20 stores in Spain.
Crime fell after the cameras were installed.
    After the cameras were installed, crime fell.
Police are investigating whether the fire was started deliberately.
    Whether the fire was started deliberately is being investigated by police.
The minister said the road would open in May.
    The road would open in May, the minister said.
Adults take two tablets a day. Children aged 6 to 12 take half a tablet a day.
    Adults take two tablets a day, and children aged 6 to 12 take half a tablet a day.
The fee was 15 euros before it was abolished in 2020.
    The fee was abolished in 2020.
The fee was 15 euros before it was abolished in 2020.
    Before it was abolished, the fee was 15 euros.
Deluxe rooms cost 120 euros.
    Deluxe rooms cost 120 euros.
Standard rooms cost 80 euros and deluxe rooms cost 120 euros.
    Deluxe rooms cost 120 euros.
Standard rooms cost 80 euros, deluxe rooms 120 euros and suites 210 euros.
    A deluxe room costs 120 euros.
Adult tickets cost 8 euros, child tickets 4 euros.
    Child tickets cost 4 euros.
The Lyon plant employs 340 people and the Turin plant 510 people.
    The Turin plant employs 510 people.
"""
"""In other words, or in part."""
